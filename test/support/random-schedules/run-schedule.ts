import type { SessionMessage } from '../../../src/actors/contract/session-message.js';
import type { ModelEvent, ModelRequest } from '../../../src/model/model.js';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import { eventsOf } from '../../../src/testing/fake-reply.js';
import type { Random } from '../../e2e/support/soak/random.js';
import { createGate } from '../gate.js';
import { resultText } from '../scripts.js';
import { createSimulatedTime, skipRetryWaits } from '../simulated-time.js';
import { ALLOW_ALL } from '../troupe.js';
import { createScheduleModel, type OpenStream } from './schedule-model.js';
import { createScheduleTools, type RunningTool, type ToolEnd } from './schedule-tools.js';

/** An entry of the log, which is in order. A `break` is of the reply to the request `sequence`. */
export type Happening =
  | { readonly type: 'start'; readonly id: string }
  | { readonly type: 'end'; readonly id: string; readonly how: ToolEnd | 'aborted' }
  | { readonly type: 'request' | 'break'; readonly sequence: number }
  | { readonly type: 'use'; readonly id: string }
  | {
      readonly type: 'result';
      readonly id: string;
      readonly isError: boolean;
      readonly text: string;
    }
  | { readonly type: 'interrupt' | 'kill' }
  /** A new message comes while these calls run, which a new message cancels. */
  | { readonly type: 'prompt'; readonly cancels: readonly string[] };

export type ScheduleRun = {
  readonly log: readonly Happening[];
  readonly requests: readonly ModelRequest[];
  /** All calls that the model began to make, also in replies that broke. */
  readonly calls: ReadonlyMap<string, MadeCall>;
};

export type MadeCall = {
  readonly id: string;
  /** Number of its request. */
  readonly sequence: number;
  readonly position: number;
  readonly name: string;
  readonly input: { readonly isSafe?: boolean | string };
};

/** Most replies with tool calls. */
const MOST_TURNS = 3;
const MOST_BREAKS = 5;

/** Plays sessions whose tools, streams, interrupts and kills come in the order that `random` decides. */
export function createScheduler(cwd: string, home: string) {
  const time = createSimulatedTime();
  let world: ReturnType<typeof createWorld>;
  const troupe = createOrchestrator({
    cwd,
    home,
    clock: time.clock,
    now: time.now,
    permissions: ALLOW_ALL,
    modelName: 'opus',
    fallbackModel: 'haiku',
    builtInTools: [],
    tools: createScheduleTools({
      onStart: (tool) => world.onStart(tool),
      onEnd: (id, how) => world.onEnd(id, how),
    }),
    model: createScheduleModel({
      reply: (request, sequence) => world.reply(request, sequence),
      onOpen: (stream) => world.onOpen(stream),
      onClose: (sequence) => world.onClose(sequence),
    }),
  });

  return {
    close: () => troupe.close(),
    async run(random: Random): Promise<ScheduleRun> {
      world = createWorld(random);
      const session = troupe.session({ prompt: 'Go.', staysOpen: true });
      skipRetryWaits(session, time);
      const reading = (async () => {
        for await (const message of session) world.read(message);
      })();
      session.events.on('agent.idle', world.onIdle);
      const outcome = session.outcome.finally(world.onOver);
      for (;;) {
        const actions = world.actions(session);
        if (actions === undefined) break;
        if (actions.length === 0) await world.nextChange();
        actions[random.below(actions.length)]?.();
        for (let turns = random.below(3); turns > 0; turns -= 1) await new Promise(setImmediate);
      }
      await Promise.all([outcome, reading]);
      return world;
    },
  };
}

type Session = {
  prompt(text: string): Promise<unknown>;
  interrupt(): void;
  kill(reason: string): Promise<unknown>;
  end(): void;
};

function createWorld(random: Random) {
  const log: Happening[] = [];
  const requests: ModelRequest[] = [];
  const calls = new Map<string, MadeCall>();
  const running = new Map<string, RunningTool>();
  const done = new Set<unknown>();
  let stream: OpenStream | undefined;
  let isIdle = false;
  let isOver = false;
  let breaks = 0;
  let change = createGate();
  const changed = (): void => change.open();
  const note = (happening: Happening): void => {
    log.push(happening);
    changed();
  };

  const prompt = (session: Session): void => {
    const cancels = [...running.keys()].filter((id) => calls.get(id)?.name === 'Cancel');
    note({ type: 'prompt', cancels });
    isIdle = false;
    session.prompt('And now?').catch(() => {}); // it may have ended
  };
  const interrupt = (session: Session): void => {
    session.interrupt();
    note({ type: 'interrupt' });
  };
  const kill = (session: Session): void => {
    void session.kill('enough');
    note({ type: 'kill' });
  };

  const fromOutside = (session: Session): readonly (() => void)[] =>
    [prompt, interrupt, kill]
      .filter((act) => !done.has(act) && random.below(15) === 0)
      .map((act) => () => {
        done.add(act);
        act(session);
      });

  function streaming({ sequence, advance, fail }: OpenStream): readonly (() => void)[] {
    const breakOff = (): void => {
      breaks += 1;
      stream = undefined;
      note({ type: 'break', sequence });
      fail(Object.assign(new Error('broken'), { status: random.below(3) > 0 ? 529 : 500 }));
    };
    const send = (): void => advance(1 + random.below(6));
    return breaks < MOST_BREAKS && random.below(12) === 0 ? [breakOff] : [send, send];
  }

  return {
    log,
    requests,
    calls,
    read(message: SessionMessage) {
      if (message.type !== 'assistant' && message.type !== 'user') return;
      for (const block of message.message.content) {
        if (block.type === 'tool_use') note({ type: 'use', id: block.id });
        if (block.type !== 'tool_result') continue;
        const { tool_use_id: id, is_error: isError = false } = block;
        note({ type: 'result', id, isError, text: resultText(block) });
      }
    },
    onStart(tool: RunningTool) {
      running.set(tool.id, tool);
      note({ type: 'start', id: tool.id });
    },
    onEnd(id: string, how: ToolEnd | 'aborted') {
      running.delete(id);
      note({ type: 'end', id, how });
    },
    onOpen(opened: OpenStream) {
      stream = opened;
      changed();
    },
    onClose(sequence: number) {
      if (stream?.sequence === sequence) stream = undefined;
      changed();
    },
    onOver() {
      isOver = true;
      changed();
    },
    onIdle() {
      isIdle = true;
      changed();
    },
    async nextChange() {
      await change.opened;
      change = createGate();
    },
    reply(request: ModelRequest, sequence: number): readonly ModelEvent[] {
      requests.push({ ...request, messages: [...request.messages] }); // the conversation grows
      note({ type: 'request', sequence });
      const turns = request.messages.filter(({ role }) => role === 'assistant').length;
      if (turns >= MOST_TURNS) return eventsOf({ text: 'Done.' }, { sequence });
      const tools = Array.from({ length: random.below(6) }, () => randomCall(random));
      for (const [position, { name, input }] of tools.entries()) {
        const id = `toolu_fake_${sequence}_${position}`;
        calls.set(id, { id, sequence, position, name, input });
      }
      return eventsOf({ text: 'Now.', tools }, { sequence });
    },
    /** The events that may happen now; undefined if the session is over. */
    actions(session: Session): readonly (() => void)[] | undefined {
      if (isOver) return undefined;
      const ends = [...running.values()].map(({ id, end }) => () => {
        running.delete(id);
        end(random.below(4) === 0 ? 'error' : 'ok');
      });
      const inside = [...(stream === undefined ? [] : streaming(stream)), ...ends];
      if (inside.length > 0) return [...inside, ...fromOutside(session)];
      return isIdle ? [() => ((isIdle = false), session.end())] : [];
    },
  };
}

const NAMES = ['Cancel', 'Block', 'Bash', 'Bash'] as const;

function randomCall({ below }: Random) {
  const name = NAMES[below(NAMES.length)] as (typeof NAMES)[number];
  const kind = below(20);
  if (kind === 0) return { name: 'Nothing', input: {} };
  return { name, input: { isSafe: kind === 1 ? 'perhaps' : below(3) > 0 } };
}
