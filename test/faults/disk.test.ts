import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createPlace } from '../e2e/support/place.js';
import {
  createFaultRun,
  describeEnd,
  sessionsOf,
  untilNoneLeft,
  type FaultRun,
} from './support/fault-run.js';
import { findJournalProblems, findProblems } from './support/find-problems.js';
import type { Fault } from './support/fs-faults.mjs';

const isDeep = process.env['TROUPE_DEEP'] !== undefined;
/** `TROUPE_FAULT='write half of tasks, 3'`: this one alone. */
const given = process.env['TROUPE_FAULT'];

/** Files of a session, by what they hold. */
const FILES = {
  tasks: 'tasks\\.jsonl$',
  main: 'agent-amain',
  ann: 'agent-aann',
  fore: 'agent-ageneral',
  audit: 'audit\\.jsonl$',
  team: 'teams/crew',
  prompts: 'prompts/',
  output: 'output/',
  lock: '/lock',
} as const;

const EFFECTS: readonly Pick<Fault, 'call' | 'effect'>[] = [
  { call: 'write', effect: 'half' },
  { call: 'write', effect: 'EIO' },
  { call: 'write', effect: 'short' },
  { call: 'sync', effect: 'EIO' },
  { call: 'open', effect: 'EMFILE' },
  { call: 'write', effect: 'kill before' },
  { call: 'write', effect: 'kill half' },
  { call: 'write', effect: 'kill after' },
  { call: 'sync', effect: 'kill before' },
];

const everything = Object.entries(FILES).flatMap(([file, path]) =>
  EFFECTS.flatMap(({ call, effect }) =>
    [1, 2, 5, 9, 14].map((nth) => {
      const fault: Fault = { call, path, nth, effect };
      return { name: `${call} ${effect} of ${file}, ${nth}`, fault };
    }),
  ),
);
/** Some of each kind: a number that shares no factor with how many kinds there are. */
const chosen = isDeep ? everything : everything.filter((_, index) => index % 151 === 3);
const cases = given === undefined ? chosen : everything.filter(({ name }) => name === given);

describe.concurrent('a run of the crew', () => {
  it('without a fault comes to its end, and nothing is wrong with it', async ({
    onTestFinished,
  }) => {
    const run = await createFaultRun(onTestFinished);
    expect(await run.start().ended).toMatchObject({ code: 0, stderr: '' });
    expect(await findProblems(run, { isOver: true })).toEqual([]);
    await untilNoneLeft(run.place);
    const effects = (await run.place.text('effects.log')).trim().split('\n');
    expect(effects).toHaveLength(15);
  });

  it.for(cases)(
    'is whole after a fault, and after its resume: $name',
    { timeout: 60_000 },
    async ({ fault }, { onTestFinished }) => {
      const run = await createFaultRun(onTestFinished);
      expect(await playFault(run, fault)).toEqual([]);
    },
  );
});

describe.concurrent('a session that cannot begin', () => {
  it.for([
    ['write', 'EFBIG', '/lock', 'file too large (lock)'],
    ['write', 'ENOSPC', 'prompts/', 'the disk is full (prompts/'],
    ['open', 'EROFS', 'agent-amain', 'the disk is read-only (agent-amain-'],
  ] as const)(
    'ends with 1 and one result that names the file: %s %s of %s',
    async ([call, effect, path, says], { onTestFinished }) => {
      const run = await createFaultRun(onTestFinished);
      const faults = [{ call, effect, path, nth: 1 }];
      const ended = await run.start({ faults }).ended;
      const why = `The journal cannot be written: ${says}`;
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(why) });
      expect(ended.lines).toEqual([refused(why)]);
      expect(run.api.requests).toEqual([]);
    },
  );

  it('says so in each format for programs, and ends with 2 if its folder is a file', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await writeFile(place.troupeHome, '');
    const why = `The folder for sessions, ${place.troupeHome}, is not usable: `;
    const api = await place.api({ replies: [] });
    const runs = ['text', 'json', 'stream-json'].map((format) =>
      place.run(['-p', 'Go.', '--verbose', '--output-format', format], { api }),
    );
    const [text, ...others] = await Promise.all(runs);
    expect(text).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(why) });
    for (const { code, lines } of others)
      expect({ code, lines }).toEqual({ code: 2, lines: [refused(why)] });
  });
});

function refused(why: string): unknown {
  return expect.objectContaining({
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    errors: [expect.stringContaining(why)],
  });
}

/** Run the crew with a fault, then resume it without one. @returns what is wrong */
async function playFault(run: FaultRun, fault: Fault): Promise<readonly string[]> {
  const first = await run.start({ faults: [fault] }).ended;
  await untilNoneLeft(run.place);
  const how = describeEnd(first);
  const [session] = sessionsOf(run.place);
  if (session === undefined) return first.code === 1 ? [] : [`it could not begin: ${how}`];
  const before = await run.journals();
  const problems = [
    ...findJournalProblems(session),
    ...(isTorn(before) && first.code === 0 ? ['success was reported for a torn journal'] : []),
  ];

  const last = await run.resume().ended;
  await untilNoneLeft(run.place);
  const then = `${how} → ${describeEnd(last)}`;
  if (!hasPrompt(before)) return last.code === 2 ? problems : [...problems, then];
  const all = [
    ...problems,
    ...(last.code === 0 ? [] : ['it could not be resumed']),
    ...(await findProblems(run, { isOver: true })),
    ...findRewritten(before, await run.journals()),
  ];
  return all.length === 0 ? [] : [...all, then];
}

function isTorn(journals: ReadonlyMap<string, string>): boolean {
  return [...journals.values()].some((text) => text !== '' && !text.endsWith('\n'));
}

/** Whether anything was asked of the session: before that there is nothing to resume. */
function hasPrompt(journals: ReadonlyMap<string, string>): boolean {
  return [...journals].some(
    ([name, text]) => name.startsWith('agent-amain') && text.includes('\n'),
  );
}

/** Lines that were there before the resume, and are missing now. */
function findRewritten(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): readonly string[] {
  return [...before].flatMap(([name, text]) => {
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    return now.get(name)?.startsWith(whole) === true ? [] : [`${name} was rewritten`];
  });
}
