import { z } from 'zod';
import { UsageError } from '../../core/errors.js';
import { summarise } from '../../journal/sessions/list-sessions.js';
import { removeSession } from '../../journal/sessions/remove-session.js';
import { addLabel } from '../../journal/sessions/session-labels.js';
import { checkOptions, filledText, strictOptions } from '../../tools/calls/check-options.js';
import { refuseStore, requirePast } from './past-session.js';

/** Place of the session that changes. */
export type SessionMutationOptions = {
  /** Folder that the session works in; any if absent. */
  readonly dir?: string;
};

/** Place of a session to copy, and the title of the copy. */
export type ForkSessionOptions = SessionMutationOptions & {
  /** Title of the copy; the title or the first prompt of the original with ` (fork)` if absent. */
  readonly title?: string;
  /**
   * `uuid` of one of `getSessionMessages`: the conversation of the copy ends with it. A reply is kept with the results of
   * its tool calls. The whole conversation if absent. Files stay as they are.
   */
  readonly upToMessageId?: string;
};

/** The copy of a session. */
export type ForkSessionResult = {
  /** ID of the copy, for `resume`. */
  readonly sessionId: string;
};

const place = { dir: z.string().min(1) };
const MutationOptions = strictOptions(place).partial();
const ForkOptions = strictOptions({
  ...place,
  title: filledText,
  upToMessageId: filledText,
}).partial();

/**
 * Give a session a title; it may be running. The list of sessions and `troupe sessions` show it.
 *
 * @throws UsageError if there is no such session, or the title is blank
 */
export async function renameSession(
  sessionId: string,
  title: string,
  options: SessionMutationOptions = {},
): Promise<void> {
  checkMutation('renameSession', options);
  const checked = textOf('renameSession: the title', title);
  const session = requirePast('renameSession', sessionId, options);
  await addLabel(session, { type: 'session.titled', title: checked });
}

/**
 * Give a session a tag instead of the one that it has, or remove it with null; the session may be running.
 *
 * @throws UsageError if there is no such session, or the tag is blank
 */
export async function tagSession(
  sessionId: string,
  tag: string | null,
  options: SessionMutationOptions = {},
): Promise<void> {
  checkMutation('tagSession', options);
  const checked = tag === null ? null : textOf('tagSession: the tag', tag);
  const session = requirePast('tagSession', sessionId, options);
  await addLabel(session, { type: 'session.tagged', tag: checked });
}

/**
 * Remove the journal of a session that is not running. System prompts that sessions share, and worktrees of its agents,
 * stay.
 *
 * @throws UsageError if there is no such session, or a process holds it
 */
export async function deleteSession(
  sessionId: string,
  options: SessionMutationOptions = {},
): Promise<void> {
  checkMutation('deleteSession', options);
  await removeSession(requirePast('deleteSession', sessionId, options));
}

/**
 * Copy a session: the copy has another ID and can be resumed. The original may be running; it does not change.
 *
 * @throws UsageError if there is no such session or message, or it ended before its first prompt
 * @throws JournalDamagedError
 */
export async function forkSession(
  sessionId: string,
  options: ForkSessionOptions = {},
): Promise<ForkSessionResult> {
  refuseStore('forkSession', options);
  checkOptions(ForkOptions, options, 'forkSession');
  const original = requirePast('forkSession', sessionId, options);
  const { copySession } = await import('../../journal/sessions/copy-session.js');
  const { title, prompt = '' } = summarise(original);
  const copy = await copySession(original, { upToMessageId: options.upToMessageId });
  const name = title ?? prompt.trim().split('\n', 1)[0];
  const label = options.title ?? `${name} (fork)`;
  await addLabel(copy, { type: 'session.titled', title: label.trim() });
  return { sessionId: copy.id };
}

function checkMutation(name: string, options: object): void {
  refuseStore(name, options);
  checkOptions(MutationOptions, options, name);
}

/** @throws UsageError */
/** Longest title or tag. */
const MOST_CHARACTERS = 1_000;

function textOf(what: string, given: unknown): string {
  const text = typeof given === 'string' ? given.trim() : '';
  if (text === '') throw new UsageError(`${what} must be a text that is not empty.`);
  if (text.length > MOST_CHARACTERS)
    throw new UsageError(`${what} has ${text.length} characters. Give at most ${MOST_CHARACTERS}.`);
  return text;
}
