import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { isInsideTroupe } from '../../api/control/inside-troupe.js';
import { UsageError } from '../../api/errors.js';
import { userFolders } from '../../api/folders.js';
import { listSessions } from '../../api/list-sessions.js';
import { ownFile } from '../../api/own-package.js';
import { findSession } from '../../api/sessions.js';
import type { CommandLine } from '../arguments/command-line.js';
import { countOf } from '../arguments/flag-readers.js';
import { decideRequest } from '../control/decide-request.js';
import { findTarget } from '../control/find-target.js';
import { seeRunning, type World } from '../control/see-running.js';
import { toApproval } from '../control/to-approval.js';
import { browserOf, openBrowser } from '../open-browser.js';
import { openStdout } from '../output-writer.js';
import { exitCodeOf, onEndingSignals, type EndingSignal } from '../signals.js';
import { createLiveLook } from '../web/live-troupes.js';
import { openWebServer, type StreamPart, type WebRoutes } from '../web/web-server.js';
import { watchSession, type WatchedSession } from '../web/watched-session.js';

const LOOK_EVERY_MS = 500;
const SESSIONS_SHOWN = 200;

/**
 * `troupe web`: serve the control room to a browser on this machine, until Ctrl-C.
 *
 * @returns the exit code
 * @throws UsageError if the port cannot be used
 */
export async function run(line: CommandLine, world: World): Promise<number> {
  if (isInsideTroupe(world.env))
    throw new UsageError(
      'troupe web: an agent has started this shell, and agents do not decide. Run it in your own terminal.',
    );
  const out = openStdout();
  const server = await openWebServer(routesOf(world), countOf(line, '--port', 0) ?? 0);
  await out.line(`The control room: ${server.address}`);
  await out.line('Only this machine reaches it. Ctrl-C ends the page, and no agent.');
  if (line.given.has('--open')) {
    const { env } = world;
    const browser = browserOf({ env, platform: process.platform, isTerminal: out.isTerminal });
    if (browser !== undefined) openBrowser(browser, server.address);
  }
  const signal = await new Promise<EndingSignal>((resolve) => {
    onEndingSignals(async (received) => {
      await server.close();
      resolve(received);
    });
  });
  return signal === 'SIGINT' ? 0 : exitCodeOf(signal);
}

const Decision = z.lazy(() =>
  z.discriminatedUnion('behavior', [
    z.object({
      behavior: z.literal('allow'),
      requestId: z.string(),
      always: z.enum(['session', 'folder']).optional(),
      answers: z.array(z.string()).optional(),
      input: z.record(z.string(), z.unknown()).optional(),
      message: z.string().min(1).optional(),
    }),
    z.object({
      behavior: z.literal('deny'),
      requestId: z.string(),
      message: z.string().min(1).optional(),
    }),
  ]),
);
const Send = z.lazy(() => z.object({ task: z.string(), text: z.string().min(1) }));
const Kill = z.lazy(() => z.object({ task: z.string() }));

/** The name of the page as an approver. */
const ROOM = 'control room';

function routesOf(world: World): WebRoutes {
  const home = userFolders(world.env).troupe;
  const file = (name: string, type: string) => ({ file: ownFile(`dist/page/${name}`), type });
  return {
    files: {
      '/': file('index.html', 'text/html; charset=utf-8'),
      '/app.js': file('app.js', 'text/javascript; charset=utf-8'),
      '/style.css': file('style.css', 'text/css; charset=utf-8'),
    },
    streams: {
      '/live': (_, signal) => liveParts(createLiveLook(world), signal),
      '/session': sessionParts(home),
    },
    commands: {
      '/sessions': () => Promise.resolve(listSessions({ home }).slice(0, SESSIONS_SHOWN)),
      '/decide': (body) => decide(parse(Decision, body), world),
      '/send': (body) => {
        const { task, text } = parse(Send, body);
        return atTask(task, world, (troupe, id) => troupe.ask({ method: 'send', task: id, text }));
      },
      '/kill': (body) => {
        const { task } = parse(Kill, body);
        const reason = 'killed in the control room';
        return atTask(task, world, (troupe, id) =>
          troupe.ask({ method: 'kill', task: id, reason }),
        );
      },
    },
  };
}

/** The running troupes, again whenever they have changed. */
async function* liveParts(
  look: ReturnType<typeof createLiveLook>,
  signal: AbortSignal,
): AsyncGenerator<StreamPart> {
  for (let last = ''; !signal.aborted;) {
    const live = await look();
    const text = JSON.stringify(live);
    if (text !== last) yield { data: live };
    last = text;
    await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

/** The lines of a session's journal. The ID of a part is the run of the server and the number of lines so far. */
function sessionParts(home: string): WebRoutes['streams'][string] {
  const boot = randomUUID();
  const watched = new Map<string, WatchedSession>();
  return async function* (query, signal) {
    const { id, directory } = findSession(home, query.get('id') ?? '');
    const session = watched.get(id) ?? watchSession(directory);
    watched.set(id, session);
    const [lastBoot, lastCount] = (query.get('last') ?? '').split('/');
    let position = lastBoot === boot ? Number(lastCount) : 0;
    for await (const events of session.from(position, signal)) {
      const isFirst = position === 0;
      position += events.length;
      yield { id: `${boot}/${position}`, data: { isFirst, events } };
    }
  };
}

async function decide(
  { requestId, ...wanted }: z.infer<typeof Decision>,
  world: World,
): Promise<{ readonly told: string }> {
  const told = await decideRequest(
    requestId,
    ({ request }) => (wanted.behavior === 'allow' ? toApproval(request, wanted) : wanted),
    { by: ROOM, world },
  );
  return { told };
}

type Told = ReturnType<typeof findTarget>;

async function atTask(
  wanted: string,
  world: World,
  act: (troupe: Told['troupe'], id: Told['task']) => Promise<unknown>,
): Promise<unknown> {
  const { seen, silent, close } = await seeRunning(world);
  try {
    const { troupe, task } = findTarget(seen, wanted, silent);
    return await act(troupe, task);
  } finally {
    close();
  }
}

/** @throws UsageError */
function parse<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const { data, error } = schema.safeParse(body);
  if (error !== undefined) throw new UsageError(z.prettifyError(error));
  return data;
}
