import type { Environment } from '../../api/types.js';
import { z } from 'zod';
import { UsageError } from '../../api/errors.js';
import { decideRequest } from '../control/decide-request.js';
import { findTarget } from '../control/find-target.js';
import { seeRunning } from '../control/see-running.js';
import { toApproval } from '../control/to-approval.js';
import { createLiveLook } from './live-troupes.js';

const Decision = z.lazy(() =>
  z.discriminatedUnion('behavior', [
    z.object({
      behavior: z.literal('allow'),
      requestId: z.string(),
      always: z.enum(['session', 'folder']).optional(),
      answers: z.array(z.array(z.string())).optional(),
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
/** IDs of the requests that the page has. */
const Known = z.lazy(() => z.object({ known: z.array(z.string()) }));
const Kill = z.lazy(() => z.object({ task: z.string() }));

/** The name of the page as an approver. */
const ROOM = 'control room';

/** The commands of the page, by path. */
export function roomCommands(world: {
  readonly env: Environment;
}): Readonly<Record<string, (body: unknown) => Promise<unknown>>> {
  const look = createLiveLook(world);
  return {
    '/live': (body) => look(new Set(parse(Known, body).known)),
    '/decide': async (body) => {
      const { requestId, ...wanted } = parse(Decision, body);
      const told = await decideRequest(
        requestId,
        ({ request }) => (wanted.behavior === 'allow' ? toApproval(request, wanted) : wanted),
        { by: ROOM, world },
      );
      return { told };
    },
    '/send': (body) => {
      const { task, text } = parse(Send, body);
      return atTask(task, world, (troupe, id) => troupe.ask({ method: 'send', task: id, text }));
    },
    '/kill': (body) => {
      const { task } = parse(Kill, body);
      const reason = 'killed in the control room';
      return atTask(task, world, (troupe, id) => troupe.ask({ method: 'kill', task: id, reason }));
    },
  };
}

type Told = ReturnType<typeof findTarget>;

async function atTask(
  wanted: string,
  world: { readonly env: Environment },
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
export function parse<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const { data, error } = schema.safeParse(body);
  if (error !== undefined) throw new UsageError(z.prettifyError(error));
  return data;
}
