import { copySession, readMessages } from '../../api/sessions/journal.js';
import { messageOf, UsageError } from '../../api/errors.js';
import { oneLine, printableLine } from '../../api/text.js';
import type { ImageBlock, PermissionMode, SessionHandle, TextBlock } from '../../api/types.js';
import { describeAge } from '../output/describe-time.js';
import type { Picture } from '../../api/files/read-image.js';
import { openPickList } from '../terminal/views/pick-list.js';
import { withNames, type PromptImage } from '../terminal/editor/prompt-images.js';
import type { Terminal } from '../terminal/screen/terminal.js';
import { askForPart, fileLines, PARTS, type RewindPart } from './rewind-files.js';

/** A prompt of the session, and the message before it. */
export type EarlierPrompt = {
  /** ID of its message. */
  readonly id: string;
  readonly text: string;
  readonly images: readonly PromptImage[];
  /** When the agent took it, epoch ms. */
  readonly at: number;
  /** ID of the message before it; undefined for the first one. */
  readonly before: string | undefined;
};

/** The parts of a session at a terminal that rewinding acts on. */
export type RewindContext = {
  readonly session: Pick<SessionHandle, 'sessionId' | 'directory' | 'permissions' | 'rewindFiles'>;
  /** Whether the session keeps earlier versions of files. */
  readonly keepsFiles: boolean;
  /** The working folder: files in it are named by their path below it. */
  readonly folder: string;
  readonly terminal: Pick<
    Terminal,
    'show' | 'focus' | 'fill' | 'print' | 'rows' | 'columns' | 'isLive'
  >;
  /** End the session and begin another one. @param id of the session to resume; a new session if absent */
  begin(id?: string, how?: { readonly permissionMode?: PermissionMode }): Promise<void>;
};

const WIDTH = 200;
const MOST_PRINTED = 20;
const NO_FILES = 'No file changes:';
const NOT_COVERED = 'What commands have changed stays as it is.';

/**
 * Carry out `/rewind`: list the prompts for the keys, or go back to before the one with this number.
 *
 * @param words empty, a number, or a number and what goes back
 * @throws UsageError for other words
 */
export async function rewind(words: string, context: RewindContext): Promise<string | undefined> {
  const prompts = earlierPrompts(context.session);
  if (prompts.length === 0) return 'There is no earlier prompt.';
  if (words === '') {
    if (!context.terminal.isLive) return listed(prompts);
    openList(prompts, context);
    return undefined;
  }
  const [number = '', wanted, ...more] = words.split(/\s+/);
  const part = PARTS.find((one) => one === wanted);
  const chosen = /^\d+$/.test(number) ? prompts[Number(number) - 1] : undefined;
  if (chosen === undefined || part !== wanted || more.length > 0)
    throw new UsageError(
      `There is no prompt ${words}: /rewind takes a number from 1 to ${prompts.length}, and behind it all, conversation or files.`,
    );
  return goBack(chosen, part, context);
}

/** The prompts of a session, the newest first. */
export function earlierPrompts({
  sessionId: id,
  directory,
}: Pick<SessionHandle, 'sessionId' | 'directory'>): readonly EarlierPrompt[] {
  const messages = readMessages({ id, directory });
  return messages
    .flatMap(({ mail, content, at, uuid }, index): readonly EarlierPrompt[] =>
      mail === 'prompt'
        ? [{ ...promptOf(content), id: uuid, at, before: messages[index - 1]?.uuid }]
        : [],
    )
    .toReversed();
}

function promptOf(content: readonly unknown[]): Pick<EarlierPrompt, 'text' | 'images'> {
  const blocks = content as readonly (Partial<Pick<TextBlock, 'text'>> &
    Partial<Pick<ImageBlock, 'source'>>)[]; // of a prompt
  const texts = blocks.flatMap(({ text }) => text ?? []);
  const pictures = blocks.flatMap(({ source }): readonly Picture[] =>
    source?.type === 'base64'
      ? [{ type: 'image', mediaType: source.media_type, data: source.data }]
      : [],
  );
  return withNames(texts.filter((text) => !text.startsWith('<bash-input>')).join('\n'), pictures);
}

function listed(prompts: readonly EarlierPrompt[]): string {
  const lines = prompts
    .slice(0, MOST_PRINTED)
    .map((prompt, index) => `${index + 1}  ${described(prompt, 100)}`);
  return [...lines, 'To go back to before one: /rewind NUMBER'].join('\n');
}

function described({ text, at }: EarlierPrompt, room: number): string {
  const age = describeAge(Date.now() - at);
  return `${oneLine(printableLine(text), Math.max(room - age.length - 3, 10))} · ${age}`;
}

/** Show the prompts in the live part, and go back to before the chosen one. */
function openList(prompts: readonly EarlierPrompt[], context: RewindContext): void {
  const { terminal } = context;
  openPickList(terminal, {
    title: 'Go back to before a prompt',
    choices: prompts.map((prompt) => ({
      value: prompt,
      name: oneLine(prompt.text, WIDTH),
      facts: describeAge(Date.now() - prompt.at),
      text: prompt.text,
    })),
    onEnd(chosen) {
      if (chosen === undefined) return;
      goBack(chosen, undefined, context).then(
        (line) => line !== undefined && terminal.print(line),
        (error: unknown) => terminal.print(messageOf(error)),
      );
    },
  });
}

/**
 * Go back to before a prompt.
 *
 * @param given what goes back; the person is asked if it is absent and tools have changed files since
 * @returns text about it; undefined if nothing goes back
 */
async function goBack(
  prompt: EarlierPrompt,
  given: RewindPart | undefined,
  context: RewindContext,
): Promise<string | undefined> {
  const { session, terminal, folder, keepsFiles } = context;
  if (!keepsFiles && given !== undefined && given !== 'conversation')
    throw new UsageError(
      'The session keeps no earlier versions of files: the setting fileCheckpointingEnabled or CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING turns them off.',
    );
  const part = given ?? (await choosePart(prompt, context));
  if (part === undefined) return undefined;
  if (part !== 'conversation') {
    const files = await session.rewindFiles(prompt.id);
    const text = files.restored.length > 0 ? 'Files have their earlier content:' : NO_FILES;
    terminal.print([{ text }, ...fileLines(files, folder)]);
  }
  return part === 'files' ? 'The conversation stays.' : rewindTo(prompt, context);
}

/** List the files that would change, and ask what goes back. Without such files it is the conversation. */
async function choosePart(
  { id }: EarlierPrompt,
  { session, terminal, folder, keepsFiles }: RewindContext,
): Promise<RewindPart | undefined> {
  if (!keepsFiles) return 'conversation';
  const files = await session.rewindFiles(id, { dryRun: true });
  const lines = fileLines(files, folder);
  if (lines.length === 0) return 'conversation';
  const text = files.restored.length > 0 ? 'Files that tools have changed since:' : NO_FILES;
  terminal.print([{ text }, ...lines, { text: `  ${NOT_COVERED}`, style: 'dim' }]);
  if (files.restored.length === 0) return 'conversation';
  if (terminal.isLive) return askForPart(terminal, files);
  terminal.print('Say what goes back, behind the number: all, conversation or files.');
  return undefined;
}

/** Begin again before a prompt, in a copy of the session. @returns a line about it */
async function rewindTo(
  { text, images, before }: EarlierPrompt,
  context: RewindContext,
): Promise<string> {
  const { session, terminal, begin } = context;
  const { sessionId: id, directory } = session;
  const copy =
    before === undefined
      ? undefined
      : await copySession({ id, directory }, { upToMessageId: before });
  await begin(copy?.id, { permissionMode: session.permissions().mode });
  terminal.fill(text, images);
  return `This is before "${oneLine(printableLine(text), 60)}". The whole conversation: /resume ${id}`;
}
