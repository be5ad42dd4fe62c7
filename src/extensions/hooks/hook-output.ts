import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { describeRefusal, quotedField } from '../../core/text/describe-issue.js';
import { isRecord } from '../../core/json/is-record.js';
import { factsOfEvent, type HookEvent } from '../../settings/schema/hook-events.js';
import { SpecificOutput, specificFields } from './specific-output.js';

/** The output of a hook: JSON on stdout, or the result of a callback. Texts are cut after 10,000 characters. */
export type HookOutput = {
  /** False: end the turn, and deny a tool call that has not run, whatever else the output says. */
  readonly continue?: boolean | undefined;
  /** Why the turn ends, with `continue: false`. */
  readonly stopReason?: string | undefined;
  /** Without effect: nobody sees what a hook prints. */
  readonly suppressOutput?: boolean | undefined;
  /** Text that is shown to the person. */
  readonly systemMessage?: string | undefined;
  /** `block` has the effect of exit code 2. Before a tool call, `approve` is an older word for `allow`. */
  readonly decision?: 'approve' | 'block' | undefined;
  /** Why, with `decision`. */
  readonly reason?: string | undefined;
  /** Output for this event. */
  readonly hookSpecificOutput?: SpecificOutput | undefined;
  readonly [field: string]: unknown;
};
export const HookOutput = z.lazy(() =>
  z.looseObject({
    continue: z.boolean().optional(),
    stopReason: z.string().optional(),
    suppressOutput: z.boolean().optional(),
    systemMessage: z.string().optional(),
    decision: z.enum(['approve', 'block']).optional(),
    reason: z.string().optional(),
    hookSpecificOutput: SpecificOutput.optional(),
  }),
) satisfies z.ZodType<HookOutput>;

/** A hook that failed: the failure is shown, and the hook has no opinion. */
export type HookFailure = { readonly problem: string };

/**
 * Read the output of a command that ended. Exit code 2 blocks, with stderr as the reason, if hooks of the event can. JSON
 * counts with any exit code; another code than 0 without JSON is a failure.
 */
export function readCommandOutput(
  {
    exitCode,
    stdout: printed,
    stderr,
  }: {
    readonly exitCode: number | null;
    readonly stdout: string;
    readonly stderr: string;
  },
  event: HookEvent,
): HookOutput | HookFailure {
  const stdout = withoutAsyncLine(printed);
  if (factsOfEvent(event).readsPath === true) return readPath({ exitCode, stdout, stderr }, event);
  if (exitCode === 0) return readText(stdout, event);
  const json = readJson(stdout, event);
  const output = json === undefined || 'problem' in json ? undefined : json;
  const { blocks } = factsOfEvent(event);
  if (exitCode === 2 && blocks !== undefined) {
    const reason = (output?.decision === 'block' && output.reason) || stderr.trim();
    return { ...output, decision: 'block', reason: reason || 'it gave no reason' };
  }
  return json ?? { problem: describeExit(exitCode, stderr.trim()) };
}

/**
 * Read the first line of a command's output if it says that nobody should wait for the command.
 *
 * @returns the time that the command still has, ms; undefined without such a line
 */
export function asyncStartOf(stdout: string): { readonly limitMs: number | undefined } | undefined {
  const [line = ''] = stdout.trimStart().split('\n', 1);
  if (!line.includes('"async"')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    if (!isRecord(value) || value['async'] !== true) return undefined;
    const { asyncTimeout: limit } = value;
    return { limitMs: typeof limit === 'number' && limit > 0 ? limit : undefined };
  } catch {
    return undefined;
  }
}

/** Behind such a line the first line of JSON is the output, as published. */
function withoutAsyncLine(stdout: string): string {
  if (asyncStartOf(stdout) === undefined) return stdout;
  const [, ...lines] = stdout.trimStart().split('\n');
  return lines.find((line) => line.startsWith('{')) ?? '';
}

/** Read the path that a hook printed as its last line. Each failure blocks. */
function readPath(
  {
    exitCode,
    stdout,
    stderr,
  }: { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string },
  event: HookEvent,
): HookOutput | HookFailure {
  if (exitCode !== 0) return { decision: 'block', reason: describeExit(exitCode, stderr.trim()) };
  if (stdout.trim().startsWith('{')) return readText(stdout, event);
  const worktreePath = stripVTControlCharacters(stdout).trim().split('\n').at(-1)?.trim() ?? '';
  return { hookSpecificOutput: { hookEventName: event as 'WorktreeCreate', worktreePath } }; // the event with a path
}

function describeExit(exitCode: number | null, said: string): string {
  const how = exitCode === null ? 'a signal ended it' : `it exited with ${exitCode}`;
  return `${said === '' ? how : `${how}: ${said}`}${remedyFor(exitCode)}`;
}

/** Read the text that a hook has printed or sent. */
export function readText(given: string, event: HookEvent): HookOutput | HookFailure {
  const text = given.trim();
  const context = asContext(text, event);
  if (!text.startsWith('{')) return context ?? unreadText(text);
  const value = parseJson(text);
  if (!(value instanceof SyntaxError)) return parseHookOutput(value, event);
  const problem = notJson(value);
  if (context === undefined) return { problem };
  return { ...context, systemMessage: `${problem}. The model gets it as text` };
}

/** Text that nobody reads. Output in it does not count, as published: then the hook has failed. */
function unreadText(text: string): HookOutput | HookFailure {
  const start = text.indexOf('\n{');
  const value = start === -1 ? undefined : parseJson(text.slice(start));
  const isOutput = isRecord(value) && GENERAL_FIELDS.some((field) => Object.hasOwn(value, field));
  return isOutput ? { problem: 'its JSON does not count: other text is in front of it' } : {};
}

/** Read the JSON of a command that failed; undefined if it printed something else. */
function readJson(given: string, event: HookEvent): HookOutput | HookFailure | undefined {
  if (!given.trim().startsWith('{')) return undefined;
  const value = parseJson(given);
  return value instanceof SyntaxError ? { problem: notJson(value) } : parseHookOutput(value, event);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error; // a SyntaxError
  }
}

function notJson({ message }: SyntaxError): string {
  return `its output begins like JSON but is invalid: ${message}`;
}

/** Text for the model, after events that have it. */
function asContext(text: string, event: HookEvent): HookOutput | undefined {
  if (text === '' || factsOfEvent(event).readsText !== true) return undefined;
  const hookEventName = event as 'UserPromptSubmit'; // an event with a context
  return { hookSpecificOutput: { hookEventName, additionalContext: text } };
}

/** Advice for the exit codes that a shell uses if it could not run the command. */
function remedyFor(exitCode: number | null): string {
  if (exitCode === 126) return '. Make the file executable: chmod +x FILE';
  return exitCode === 127 ? '. The command does not exist: name an existing file' : '';
}

export function parseHookOutput(value: unknown, event: HookEvent): HookOutput | HookFailure {
  if (value === undefined || value === null) return {};
  if (isRecord(value) && value['async'] === true) return {}; // it continues by itself, and decides nothing
  const parsed = HookOutput.safeParse(value);
  if (!parsed.success) {
    const why = describeRefusal(parsed.error, value, quotedField('it'));
    return { problem: `its output is invalid: ${why}` };
  }
  const { hookSpecificOutput: own, decision } = parsed.data;
  if (own !== undefined && own.hookEventName !== event)
    return { problem: `its output is for ${own.hookEventName}, and the event is ${event}` };
  if (decision === 'block' && factsOfEvent(event).blocks === undefined)
    return { problem: `it blocks, which hooks of ${event} cannot do` };
  return parsed.data;
}

const GENERAL_FIELDS = [
  'continue',
  'stopReason',
  'suppressOutput',
  'systemMessage',
  'decision',
  'reason',
  'hookSpecificOutput',
] as const satisfies readonly (keyof HookOutput)[];

/** The fields of an output that have no effect after this event. */
export function idleFields(output: HookOutput, event: HookEvent): readonly string[] {
  const { hookSpecificOutput: own = {}, continue: goesOn } = output;
  const isIdle = (known: readonly string[]) => (name: string) => !known.includes(name);
  const stopsNothing = goesOn === false && factsOfEvent(event).stops === undefined;
  return [
    ...(stopsNothing ? ['continue'] : []),
    ...Object.keys(output).filter(isIdle(GENERAL_FIELDS)),
    ...Object.keys(own).filter(isIdle(['hookEventName', ...specificFields(event)])),
  ];
}
