import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  startableCalls,
  withPhase,
  yieldableCalls,
  type ScheduledCall,
} from '../../../src/machines/agent/tool-schedule.js';

/** Calls named a, b, c …: `s` is safe, `u` is not; `-` queued, `>` started, `.` settled, `!` yielded. */
function calls(text: string): readonly ScheduledCall[] {
  const phases = { '-': 'queued', '>': 'started', '.': 'settled', '!': 'yielded' } as const;
  return text.split(' ').map((one, index) => ({
    id: String.fromCharCode(97 + index),
    isSafe: one.startsWith('s'),
    isShell: false,
    onInterrupt: 'block',
    phase: phases[one[1] as keyof typeof phases], // written above
  }));
}

/** A run of a schedule: which calls are safe, and a number for each choice of the one that settles next. */
const runs = fc.record({
  safety: fc.array(fc.boolean(), { minLength: 1, maxLength: 10 }),
  choices: fc.array(fc.nat(), { minLength: 10, maxLength: 10 }),
});

/** Starts what may start and settles one that runs, until all is yielded; `look` sees every moment. */
function run(
  { safety, choices }: { readonly safety: readonly boolean[]; readonly choices: readonly number[] },
  look: (
    calls: readonly ScheduledCall[],
    started: readonly string[],
    yielded: readonly string[],
  ) => void,
): void {
  let now = calls(safety.map((isSafe) => (isSafe ? 's-' : 'u-')).join(' '));
  for (const choice of choices.slice(0, safety.length)) {
    const started = startableCalls(now);
    now = withPhase(now, started, 'started');
    look(now, started, []);
    const running = now.filter(({ phase }) => phase === 'started');
    const settled = running[choice % running.length] as ScheduledCall; // one always runs
    now = withPhase(now, [settled.id], 'settled');
    const yielded = yieldableCalls(now);
    now = withPhase(now, yielded, 'yielded');
    look(now, [], yielded);
  }
}

describe('startableCalls', () => {
  it.each([
    ['s- s- s-', ['a', 'b', 'c'], 'starts safe calls together'],
    ['s- u- s-', ['a'], 'lets nothing overtake an unsafe call that waits'],
    ['u- s-', ['a'], 'starts an unsafe call alone'],
    ['s> u-', [], 'lets an unsafe call wait for those that run'],
    ['u> s-', [], 'lets a safe call wait for an unsafe one that runs'],
    ['s. u-', ['b'], 'counts only what runs'],
    ['s> s. s-', ['c'], 'starts a safe call beside safe ones that run'],
    ['u! u-', ['b'], 'continues after an unsafe call'],
  ] as const)('%s → %j: %s', (text, expected, _why) => {
    expect(startableCalls(calls(text))).toEqual(expected);
  });

  it('never runs an unsafe call beside another', () => {
    fc.assert(
      fc.property(runs, (one) =>
        run(one, (now) => {
          const running = now.filter(({ phase }) => phase === 'started');
          expect(running.every(({ isSafe }) => isSafe) || running.length === 1).toBe(true);
        }),
      ),
    );
  });

  it('starts calls in the order of the request, and all of them', () => {
    fc.assert(
      fc.property(runs, (one) => {
        const order: string[] = [];
        run(one, (_, started) => order.push(...started));
        expect(order).toEqual(one.safety.map((_, index) => String.fromCharCode(97 + index)));
      }),
    );
  });
});

describe('yieldableCalls', () => {
  it.each([
    ['s. s.', ['a', 'b']],
    ['s> s.', []],
    ['s! s. s> s.', ['b']],
  ] as const)('%s → %j', (text, expected) => {
    expect(yieldableCalls(calls(text))).toEqual(expected);
  });

  it('hands every result on once, in the order of the request', () => {
    fc.assert(
      fc.property(runs, (one) => {
        const order: string[] = [];
        run(one, (_now, _started, yielded) => order.push(...yielded));
        expect(order).toEqual(one.safety.map((_, index) => String.fromCharCode(97 + index)));
      }),
    );
  });
});

describe('withPhase', () => {
  it('changes the named calls and no others', () => {
    expect(withPhase(calls('s- u-'), ['b'], 'started')).toEqual(calls('s- u>'));
  });

  it('keeps the list if nothing is named', () => {
    const list = calls('s-');
    expect(withPhase(list, [], 'settled')).toBe(list);
  });
});
