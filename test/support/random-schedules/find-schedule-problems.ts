import type { ModelRequest } from '../../../src/model/model.js';
import type { Happening, MadeCall, ScheduleRun } from './run-schedule.js';

type Of<Type extends Happening['type']> = Extract<Happening, { type: Type }>;

/** The promises that a run breaks, in words. */
export function findScheduleProblems(run: ScheduleRun): readonly string[] {
  return [
    ...findOrderProblems(run),
    ...run.requests.flatMap(findPairProblems),
    ...findOverlaps(run),
    ...findOvertaking(run),
    ...findLateStarts(run),
    ...findWrongResults(run),
    ...findIgnoredMessages(run),
  ];
}

/** The events of one type, in order. */
export function happened<Type extends Happening['type']>(
  { log }: Pick<ScheduleRun, 'log'>,
  type: Type,
): readonly Of<Type>[] {
  return log.filter((one): one is Of<Type> => one.type === type);
}

const idsOf = (items: readonly { readonly id: string }[]): readonly string[] =>
  items.map(({ id }) => id);
const callOf = ({ calls }: ScheduleRun, id: string): MadeCall => calls.get(id) as MadeCall; // the model made it
const isSafe = (run: ScheduleRun, id: string): boolean => callOf(run, id).input.isSafe === true;

/** Every call has one result, in the order of the calls. */
function findOrderProblems(run: ScheduleRun): readonly string[] {
  const uses = idsOf(happened(run, 'use'));
  const results = idsOf(happened(run, 'result'));
  if (new Set(uses).size < uses.length) return [`a call was published twice: ${uses.join()}`];
  return uses.join() === results.join()
    ? []
    : [`the calls ${uses.join()} have the results ${results.join()}`];
}

/** The API refuses a request in which a call is not followed by its one result. */
function findPairProblems({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap(({ role, content }, index) => {
    if (role !== 'assistant') return [];
    const uses = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    const next = messages[index + 1]?.content ?? [];
    const results = next.flatMap((block) =>
      block.type === 'tool_result' ? [block.tool_use_id] : [],
    );
    return uses.join() === results.join()
      ? []
      : [`a request has the calls ${uses.join()} and the results ${results.join()}`];
  });
}

/** Nothing runs beside an unsafe call, and nothing runs twice. */
function findOverlaps(run: ScheduleRun): readonly string[] {
  const problems: string[] = [];
  const running = new Set<string>();
  const started = new Set<string>();
  for (const happening of run.log) {
    if (happening.type === 'end') running.delete(happening.id);
    if (happening.type !== 'start') continue;
    const { id } = happening;
    if (started.has(id)) problems.push(`${id} ran twice`);
    started.add(id);
    running.add(id);
    if (running.size > 1 && ![...running].every((one) => isSafe(run, one)))
      problems.push(`${[...running].join()} ran together`);
  }
  return problems;
}

/** A call never begins before an earlier one of its reply if one of the two is unsafe. */
function findOvertaking(run: ScheduleRun): readonly string[] {
  const starts = happened(run, 'start').map(({ id }) => callOf(run, id));
  return starts.flatMap((late, index) =>
    starts
      .slice(0, index)
      .filter(
        (early) =>
          early.sequence === late.sequence &&
          early.position > late.position &&
          !(isSafe(run, early.id) && isSafe(run, late.id)),
      )
      .map((early) => `${early.id} overtook ${late.id}`),
  );
}

/** Why no call of a reply, or no shell call of it, may begin any more. */
type Ends = { readonly replies: Map<number, string>; readonly shells: Map<number, string> };

/** No call begins after an end of its session, its turn, its stream or its shell. */
function findLateStarts(run: ScheduleRun): readonly string[] {
  const problems: string[] = [];
  const over: Ends = { replies: new Map(), shells: new Map() };
  const seen: number[] = [];
  const published = new Set<string>();
  for (const happening of run.log) {
    if (happening.type === 'request') seen.push(happening.sequence);
    if (happening.type === 'use') published.add(happening.id);
    if (happening.type === 'kill' || happening.type === 'interrupt')
      for (const sequence of seen) over.replies.set(sequence, happening.type);
    if (happening.type === 'result' && isShellError(run, happening))
      over.shells.set(callOf(run, happening.id).sequence, `the error of ${happening.id}`);
    if (happening.type !== 'start') continue;
    const { id, sequence, name } = callOf(run, happening.id);
    const why = over.replies.get(sequence) ?? (name === 'Bash' && over.shells.get(sequence));
    if (why) problems.push(`${id} began after ${why}`);
  }
  const discarded = idsOf(happened(run, 'start')).filter((id) => !published.has(id));
  return [...problems, ...discarded.map((id) => `${id} began, and its reply was discarded`)];
}

const CANCELLED = {
  sibling: /^Cancelled: parallel tool call Bash.* errored$/,
  interrupted: /^Interrupted by the user before it was done\.$/,
  killed: /^Stopped by the system because its task was ended\. Nobody refused it\.$/,
};

function isShellError(run: ScheduleRun, { id, isError, text }: Of<'result'>): boolean {
  const isCancelled = Object.values(CANCELLED).some((pattern) => pattern.test(text));
  return callOf(run, id).name === 'Bash' && isError && !isCancelled;
}

/** A result says what became of its call, and no call is cancelled without a cause. */
function findWrongResults(run: ScheduleRun): readonly string[] {
  const started = new Set(idsOf(happened(run, 'start')));
  const ends = new Map(happened(run, 'end').map(({ id, how }) => [id, how]));
  const brokenShells = new Set(
    happened(run, 'result')
      .filter((result) => isShellError(run, result))
      .map(({ id }) => callOf(run, id).sequence),
  );
  const wasTold = (...types: readonly Happening['type'][]): boolean =>
    run.log.some(({ type }) => types.includes(type));
  const isExpected = ({ id, text }: Of<'result'>): boolean => {
    const { name, input, sequence } = callOf(run, id);
    const how = ends.get(id);
    if (how === 'ok') return text === `did ${id}`;
    if (how === 'error' && text === `failed ${id}`) return true; // or an abort came before its error was seen
    if (CANCELLED.sibling.test(text)) return name === 'Bash' && brokenShells.has(sequence);
    if (CANCELLED.killed.test(text)) return wasTold('kill');
    if (CANCELLED.interrupted.test(text))
      return wasTold('interrupt') || (wasTold('prompt') && name === 'Cancel');
    return !started.has(id) && (name === 'Nothing' || input.isSafe === 'perhaps');
  };
  return happened(run, 'result')
    .filter((result) => !isExpected(result))
    .map(({ id, text }) => `${id} (${ends.get(id) ?? 'never ran'}) has the result "${text}"`);
}

/** A new message cancels the running calls that do not block it. */
function findIgnoredMessages(run: ScheduleRun): readonly string[] {
  const aborted = happened(run, 'end').filter(({ how }) => how === 'aborted');
  return happened(run, 'prompt').flatMap(({ cancels }) =>
    cancels.filter((id) => !idsOf(aborted).includes(id)).map((id) => `${id} ignored a new message`),
  );
}
