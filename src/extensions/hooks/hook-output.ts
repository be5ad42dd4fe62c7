import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { describeRefusal, quotedField } from '../../core/text/describe-issue.js';
import { isRecord } from '../../core/json/is-record.js';
import { factsOfEvent, type HookEvent } from '../../settings/hook-events.js';
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
    stdout,
    stderr,
  }: {
    readonly exitCode: number | null;
    readonly stdout: string;
    readonly stderr: string;
  },
  event: HookEvent,
): HookOutput | HookFailure {
  if (factsOfEvent(event).readsPath === true) return readPath({ exitCode, stdout, stderr }, event);
  if (exitCode === 0) return readText(stdout, event);
  const json = stdout.trim().startsWith('{') ? readText(stdout, event) : undefined;
  const output = json === undefined || 'problem' in json ? undefined : json;
  const { blocks } = factsOfEvent(event);
  if (exitCode === 2 && blocks !== undefined) {
    const reason = (output?.decision === 'block' && output.reason) || stderr.trim();
    return { ...output, decision: 'block', reason: reason || 'it gave no reason' };
  }
  return json ?? { problem: describeExit(exitCode, stderr.trim()) };
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
  if (!text.startsWith('{'))
    return factsOfEvent(event).readsText === true && text !== ''
      ? {
          hookSpecificOutput: {
            hookEventName: event as 'UserPromptSubmit',
            additionalContext: text,
          },
        } // an event with a context
      : {};
  try {
    return parseHookOutput(JSON.parse(text), event);
  } catch (error) {
    return { problem: `its output begins like JSON but is invalid: ${(error as Error).message}` }; // `JSON.parse` throws a SyntaxError
  }
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
