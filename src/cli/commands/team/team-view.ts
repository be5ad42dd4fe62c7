import type { StepState } from '../../../api/types.js';
import { shorten } from '../../../api/text.js';
import { TERMINAL_CODES, type ViewOutput } from '../../output/output-writer.js';
import { describeSeconds } from '../../output/describe-time.js';

/** Shows the states of a team's tasks while it runs. */
export interface TeamView {
  /** Take a new state of a task. */
  take(step: string, state: StepState): void;
  /** Read the states at an interval. @returns a function that stops */
  follow(steps: () => Readonly<Record<string, StepState>>): () => void;
  /** Draw nothing for a while: a person is asked. */
  pause(): void;
  resume(): void;
  /** Leave the last drawing on the screen. */
  close(): void;
}

const REDRAW_MS = 100;
export const MARKS = {
  pending: '·',
  running: '▶',
  done: '✓',
  failed: '✗',
  skipped: '–',
  interrupted: '–',
} as const;

/** Show one line a task, drawn again in place; or, plain, one line for each change. */
export function createTeamView(
  output: ViewOutput,
  names: readonly string[],
  {
    isPlain,
    now = () => performance.now(),
    say = (text) => text,
  }: {
    readonly isPlain: boolean;
    readonly now?: () => number;
    /** Shorten the reason of a failed or skipped task. */
    readonly say?: (text: string) => string;
  },
): TeamView {
  const isDrawn = !isPlain;
  const startedAt = now();
  const width = Math.max(...names.map((name) => name.length));
  const begun = new Map<string, number>();
  const ended = new Map<string, number>();
  const steps = new Map<string, StepState>();
  let drawn: readonly string[] = [];
  let isPaused = false;

  const draw = (lines: readonly string[]): void => {
    if (isPaused || lines.join('\n') === drawn.join('\n')) return;
    void output.control(TERMINAL_CODES.eraseLines(drawn.length));
    void output.write(lines.map((line) => `${line}\n`).join(''));
    drawn = lines;
  };

  const lineOf = (name: string): string => {
    const state = steps.get(name) ?? { status: 'pending' };
    const from = begun.get(name);
    const time = from === undefined ? '' : describeSeconds((ended.get(name) ?? now()) - from);
    const head = `${MARKS[state.status]} ${name.padEnd(width)}  ${time.padStart(8)}  `;
    const room = (output.columns ?? 100) - 1 - head.length;
    return head + shorten(say(describe(state, from !== undefined)), Math.max(room, LEAST_COLUMNS));
  };

  const redraw = (): void => {
    if (isDrawn) draw(names.map(lineOf));
  };

  return {
    take(step, state) {
      steps.set(step, state);
      if (state.status === 'running') begun.set(step, now());
      else if (state.status !== 'pending') ended.set(step, now());
      if (isDrawn) return redraw();
      if (state.status === 'pending') return;
      const at = `+${describeSeconds(now() - startedAt)}`.padEnd(9);
      const told = shorten(say(describe(state, begun.has(step))), MOST_COLUMNS);
      void output.line(`${at} ${step.padEnd(width)}  ${told}`);
    },
    follow(look) {
      if (!isDrawn) return () => {};
      const timer = setInterval(() => {
        for (const [step, state] of Object.entries(look())) steps.set(step, state);
        redraw();
      }, REDRAW_MS);
      return () => clearInterval(timer);
    },
    pause() {
      isPaused = true;
      drawn = []; // the request is shown below it
    },
    resume() {
      isPaused = false;
      redraw();
    },
    close() {
      redraw();
      isPaused = true;
    },
  };
}

/** Most characters of a plain line. */
const MOST_COLUMNS = 160;
const LEAST_COLUMNS = 10;

function describe(state: StepState, hasBegun: boolean): string {
  switch (state.status) {
    case 'failed':
      return `failed: ${state.failure.message}`;
    case 'skipped':
      return hasBegun ? interrupted(state.reason) : `skipped: ${state.reason}`;
    case 'running':
      return describeRunning(state);
    default:
      return state.status;
  }
}

function interrupted(reason: string): string {
  return reason.startsWith('interrupted') ? reason : `interrupted: ${reason}`;
}

function describeRunning({ items, entries }: Extract<StepState, { status: 'running' }>): string {
  const count = (status: string): number => entries.filter((one) => one.status === status).length;
  const tries = entries.flatMap((one) =>
    one.status === 'running' || one.status === 'delayed' ? [one.attempt] : [],
  );
  const again = Math.max(1, ...tries) > 1 ? `, try ${Math.max(...tries)}` : '';
  const waits = count('delayed') > 0 ? ', waits for the next try' : '';
  if (items === undefined) return `running${again}${waits}`;
  const failed = count('failed') > 0 ? `, ${count('failed')} failed` : '';
  return `running ${count('done')}/${items.length}${failed}${again}${waits}`;
}
