import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestContext } from 'vitest';
import type { FakeMessagesApi, FakeRequest } from '../../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../../src/testing/fake-reply.js';
import { createPlace, type Place } from '../../e2e/support/place.js';
import type { Ended, TroupeProcess } from '../../e2e/support/troupe-process.js';
import { until } from '../../processes/processes.js';
import { answerCrew, CREW_FLAGS } from './crew.js';
import type { Fault } from './fs-faults.mjs';

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'fs-faults.mjs')).href;

/** The built command with faults, in its own folders, against a fake Messages API. Removed when the test ends. */
export interface FaultRun {
  readonly place: Place;
  readonly api: FakeMessagesApi;
  /** Start the crew; the main agent gets its prompt. */
  start(options?: FaultOptions): TroupeProcess;
  /** Resume the only session there is, and say `prompt`. */
  resume(options?: FaultOptions & { readonly prompt?: string }): TroupeProcess;
  /** Text of each journal file, by its name in the session's folder. */
  journals(): Promise<ReadonlyMap<string, string>>;
}

export type FaultOptions = {
  readonly faults?: readonly Fault[];
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  /** The options of `ulimit` before the start: `-n 40`. */
  readonly limit?: string;
};

export async function createFaultRun(
  onTestFinished: TestContext['onTestFinished'],
  answer: (request: FakeRequest) => FakeReply | Promise<FakeReply> = answerCrew,
): Promise<FaultRun> {
  const place = await createPlace(onTestFinished);
  const api = await place.api({ handler: answer });
  const start = (words: readonly string[], { faults = [], env, flags = [], limit }: FaultOptions) =>
    place.start(['-p', ...words, ...CREW_FLAGS, ...flags], {
      api,
      env: {
        IS_SANDBOX: '1',
        ...(faults.length === 0 ? {} : { TROUPE_FAULTS: JSON.stringify(faults) }),
        ...env,
      },
      ...(faults.length === 0 ? {} : { nodeFlags: ['--import', PRELOAD] }),
      ...(limit === undefined ? {} : { limit }),
    });
  return {
    place,
    api,
    start: (options = {}) => start(['[[main]] Go.'], options),
    resume: ({ prompt = 'Continue.', ...options } = {}) => {
      const [session = ''] = sessionsOf(place);
      return start(['--resume', basename(session), prompt], options);
    },
    async journals() {
      const [session = ''] = sessionsOf(place);
      return new Map(
        filesOf(session)
          .filter((name) => name.endsWith('.jsonl'))
          .map((name) => [name, readFileSync(join(session, name), 'utf8')]),
      );
    },
  };
}

/** Folders of all sessions; none before the first one is begun. */
export function sessionsOf({ troupeHome }: Pick<Place, 'troupeHome'>): readonly string[] {
  const projects = join(troupeHome, 'projects');
  return namesIn(projects).flatMap((project) =>
    namesIn(join(projects, project))
      .filter((name) => !name.endsWith('.jsonl'))
      .map((session) => join(projects, project, session)),
  );
}

/** Wait until no process of a run is left. @throws if one still is after a while, with its command line */
export async function untilNoneLeft(place: Pick<Place, 'temporary'>): Promise<void> {
  let left: readonly string[] = [];
  await until('no process of the run is left', () => {
    left = processesOf(place);
    return left.length === 0;
  }).catch((error: unknown) => {
    throw new Error(`still there: ${left.join('; ')}`, { cause: error });
  });
}

/** Whether a run ended in the way that a command reports: with a result line that says so, or with a usage error. */
export function describeEnd({ code, signal, stderr, lines }: Ended): string {
  const result = lines.findLast(({ type }) => type === 'result');
  return JSON.stringify({
    code,
    signal,
    subtype: result?.['subtype'],
    errors: result?.['errors'],
    stderr,
  });
}

/** Command lines of processes with the environment of a place, or in its folder. */
function processesOf({ temporary }: Pick<Place, 'temporary'>): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const at = `/proc/${pid}`;
      if (/\) [ZX] /.test(readFileSync(`${at}/stat`, 'latin1'))) return [];
      const isOurs =
        readFileSync(`${at}/environ`, 'latin1').includes(`TMPDIR=${temporary}\0`) ||
        readlinkSync(`${at}/cwd`).startsWith(join(temporary, '..'));
      return isOurs ? [readFileSync(`${at}/cmdline`, 'latin1').replaceAll('\0', ' ')] : [];
    } catch {
      return []; // it has ended, or is another user's
    }
  });
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
