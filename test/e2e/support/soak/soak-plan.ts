import { uniqueSeconds } from '../../../processes/processes.js';
import { agent, bash, write } from '../answers.js';
import { createRandom } from './random.js';

/** One use of a tool. Its mark is in its input and in its effect, and nowhere else. */
export type Use = {
  readonly mark: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The effect: a line of the ledger, the text of a file, a message in a mailbox; absent: none. */
  readonly leaves?: { readonly kind: 'line' | 'file' | 'mail'; readonly where: string };
};

/** The plan of one agent: the uses of each reply. The agent is known by its mark, which its prompt begins with. */
export type Part = { readonly mark: string; readonly steps: readonly (readonly Use[])[] };

/** While a command runs, while a reply streams, while sub-agents work, or at any moment. */
export type KillKind = 'command' | 'stream' | 'agents' | 'moment';
export type PlannedKill = {
  readonly kind: KillKind;
  /** The step of the coordinator at which the process is killed. */
  readonly step: number;
  /** Below 100: what more is left to the seed. */
  readonly dice: number;
};

export type SoakPlan = {
  readonly seed: number;
  readonly parts: readonly Part[];
  readonly kills: readonly PlannedKill[];
  /** At this step of the coordinator its conversation is compacted. */
  readonly compactAt: number;
  /** In the command lines of all that sleeps, and of no other process. */
  readonly seconds: number;
  /** Files that are to be there, by name. */
  readonly files: Readonly<Record<string, string>>;
};

export const LEDGER = 'ledger';
/** Is there as soon as the command that is to be killed runs. */
export const BEGAN = 'began';
export const COORDINATOR = '[[main]]';
const WORKERS = 20;

type Kind =
  'line' | 'file' | 'edit' | 'reads' | 'background' | 'lasting' | 'waits' | 'sends' | KillKind;

/** How often the coordinator does what, of 100 replies; the rest are lines. */
const COUNTS = { file: 20, edit: 8, reads: 10, background: 4, lasting: 1.5 };
/** So that all workers are started, however many replies there are. */
const STARTS = { waits: 7, sends: 4 };

/** A coordinator of at least so many replies, 20 sub-agents, and the points of the kills. One seed gives one plan, except for paths. */
export function planSoak({
  seed,
  at,
  moments = 0,
  replies,
}: {
  readonly seed: number;
  /** Absolute path of a file. */
  readonly at: (name: string) => string;
  /** Kills at any moment, besides the three. */
  readonly moments?: number;
  readonly replies: number;
}): SoakPlan {
  const random = createRandom(seed);
  const seconds = uniqueSeconds();
  const files: Record<string, string> = {};
  const workers = random.shuffle(
    Array.from({ length: WORKERS }, (_, index) => `w${`${index}`.padStart(2, '0')}`),
  );
  const nested = workers.at(-1) as string; // there are twenty
  const parts: Part[] = workers.map((name, index) =>
    planWorker(name, {
      above: name === nested ? `[[${workers[0]}]]` : COORDINATOR,
      below: index === 0 ? nested : undefined,
      at,
    }),
  );
  const waiting = workers.slice(0, -1);
  const hire = (isBackgrounded: boolean): Use[] =>
    waiting.splice(0, 1).map((name) => startOf(name, isBackgrounded));

  const kinds = random.shuffle([
    ...(['command', 'stream', 'agents'] as const),
    ...Array<'moment'>(moments).fill('moment'),
  ]);
  const apart = Math.floor((replies - 35) / kinds.length);
  const kills = kinds.map((kind, index) => ({
    kind,
    step: 25 + index * apart + random.below(Math.floor(apart / 2)),
    dice: random.below(100),
  }));
  const others = [
    ...random.shuffle(
      [
        ...Object.entries(COUNTS).map(([kind, of100]) => [kind, (of100 * replies) / 100] as const),
        ...Object.entries(STARTS),
      ].flatMap(([kind, count]) => Array<Kind>(Math.floor(count)).fill(kind as Kind)), // its own keys
    ),
  ];
  const steps: (readonly Use[])[] = [];
  while (steps.length < replies || others.length > 0) {
    const kill = kills.find((one) => one.step === steps.length);
    const isTight = kills.some((one) => one.step === steps.length + 1); // some kinds take two steps
    const isLine = random.below(Math.max(replies - steps.length, 1)) >= others.length;
    const kind: Kind = kill?.kind ?? (isLine || isTight ? 'line' : (others.shift() ?? 'line'));
    steps.push(...planStep(kind, kill?.dice ?? 0));
  }
  parts.unshift({ mark: COORDINATOR, steps });
  const [first] = kills as [PlannedKill]; // there are three
  return { seed, parts, kills, compactAt: first.step + 4 + random.below(8), seconds, files };

  function planStep(kind: Kind, dice: number): (readonly Use[])[] {
    const step = steps.length;
    const mark = (letter = 'a', later = 0): string =>
      `c${`${step + later}`.padStart(3, '0')}${letter}`;
    const mail = (name: string, letter: string): Use => ({
      mark: mark(letter),
      name: 'SendMessage',
      input: { to: name, message: `Note ${mark(letter)}.` },
      leaves: { kind: 'mail', where: `[[${name}]]` },
    });
    switch (kind) {
      case 'line':
        return [[line(mark()), ...(step % 4 === 0 ? [line(mark('b'))] : [])]];
      case 'file':
        return [[file(mark(), at)]];
      case 'edit': {
        const path = at(`${mark()}.txt`);
        files[`${mark()}.txt`] = 'END\n';
        const read: Use = { mark: mark(), name: 'Read', input: { file_path: path } };
        const edited = mark('e', 1);
        const input = { file_path: path, old_string: 'END', new_string: `${edited}\nEND` };
        const leaves = { kind: 'file', where: `${mark()}.txt` } as const;
        return [[read], [{ mark: edited, name: 'Edit', input, leaves }]];
      }
      case 'reads': {
        files[`${mark()}.md`] = 'Read me.\n';
        const read = { mark: mark(), name: 'Read', input: { file_path: at(`${mark()}.md`) } };
        const grep = { mark: mark('b'), name: 'Grep', input: { pattern: mark('b'), path: at('') } };
        return [[read, { mark: mark('c'), ...bash(`cat ${mark()}.md # ${mark('c')}`) }, grep]];
      }
      case 'background':
        return [[line(mark(), { run_in_background: true }), line(mark('b'))]];
      case 'lasting':
        return [[line(mark(), { run_in_background: true }, `; sleep ${seconds}`)]];
      case 'waits':
        return [hire(false)];
      case 'sends': {
        const [one, other] = waiting as [string, string]; // there are enough
        return [
          [...hire(true), ...hire(true)],
          [mail(one, 'm'), mail(other, 'n')],
        ];
      }
      case 'command': {
        const trace = `echo ${mark()} >> ${LEDGER}`;
        const wait = `touch ${BEGAN}; sleep ${seconds}`;
        const command = dice < 50 ? `${trace}; ${wait}` : `${wait}; ${trace}`;
        const leaves = { kind: 'line', where: LEDGER } as const;
        return [[{ mark: mark(), ...bash(command), leaves }]];
      }
      case 'moment':
      case 'stream':
        return [[line(mark()), file(mark('b'), at), line(mark('c'))]];
      case 'agents':
        return [[...hire(true), ...hire(true), ...hire(true), ...hire(false)]];
      default:
        return kind satisfies never;
    }
  }
}

function planWorker(
  name: string,
  { above, below, at }: { above: string; below: string | undefined; at: (name: string) => string },
): Part {
  const mark = (text: string): string => `${name}${text}`;
  const message = `Note ${mark('m')}.`;
  const leaves = { kind: 'mail', where: above } as const;
  const mail = { mark: mark('m'), name: 'SendMessage', input: { to: 'parent', message }, leaves };
  return {
    mark: `[[${name}]]`,
    steps: [
      [line(mark('a'), {}, '; sleep 0.05')],
      ...(below === undefined ? [] : [[startOf(below, false)]]),
      [mail, file(mark('b'), at)],
      [line(mark('c')), line(mark('d'))],
    ],
  };
}

function line(mark: string, more: Readonly<Record<string, unknown>> = {}, then = ''): Use {
  const leaves = { kind: 'line', where: LEDGER } as const;
  return { mark, ...bash(`echo ${mark} >> ${LEDGER}${then}`, more), leaves };
}

function file(mark: string, at: (name: string) => string): Use {
  const name = `${mark}.txt`;
  return { mark, ...write(at(name), mark), leaves: { kind: 'file', where: name } };
}

function startOf(name: string, isBackgrounded: boolean): Use {
  const more = { name, run_in_background: isBackgrounded };
  return { mark: `[[${name}]]`, ...agent(`[[${name}]] Do your part.`, more) };
}
