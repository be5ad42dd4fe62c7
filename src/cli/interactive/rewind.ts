import { copySession, readMessages } from '../../api/sessions/journal.js';
import { messageOf, UsageError } from '../../api/errors.js';
import { oneLine, printableLine } from '../../api/text.js';
import type { ImageBlock, PermissionMode, SessionHandle, TextBlock } from '../../api/types.js';
import { describeAge } from '../output/describe-time.js';
import type { Picture } from '../../api/files/read-image.js';
import { openPickList } from '../terminal/pick-list.js';
import { withNames, type PromptImage } from '../terminal/prompt-images.js';
import type { Terminal } from '../terminal/terminal.js';

/** A prompt of the session, and the message before it. */
export type EarlierPrompt = {
  readonly text: string;
  readonly images: readonly PromptImage[];
  /** When the agent took it, epoch ms. */
  readonly at: number;
  /** ID of the message before it; undefined for the first one. */
  readonly before: string | undefined;
};

/** The parts of a session at a terminal that rewinding acts on. */
export type RewindContext = {
  readonly session: Pick<SessionHandle, 'sessionId' | 'directory' | 'permissions'>;
  readonly terminal: Pick<
    Terminal,
    'show' | 'focus' | 'fill' | 'print' | 'rows' | 'columns' | 'isLive'
  >;
  /** End the session and begin another one. @param id of the session to resume; a new session if absent */
  begin(id?: string, how?: { readonly permissionMode?: PermissionMode }): Promise<void>;
};

const WIDTH = 200;
const MOST_PRINTED = 20;

/**
 * Carry out `/rewind`: list the prompts for the keys, or begin again before the one with this number.
 *
 * @throws UsageError for an invalid number
 */
export async function rewind(number: string, context: RewindContext): Promise<string | undefined> {
  const prompts = earlierPrompts(context.session);
  if (prompts.length === 0) return 'There is no earlier prompt.';
  if (number === '') {
    if (!context.terminal.isLive) return listed(prompts);
    openList(prompts, context);
    return undefined;
  }
  const chosen = /^\d+$/.test(number) ? prompts[Number(number) - 1] : undefined;
  if (chosen === undefined)
    throw new UsageError(
      `There is no prompt ${number}: /rewind takes a number from 1 to ${prompts.length}.`,
    );
  return rewindTo(chosen, context);
}

/** The prompts of a session, the newest first. */
export function earlierPrompts({
  sessionId: id,
  directory,
}: Pick<SessionHandle, 'sessionId' | 'directory'>): readonly EarlierPrompt[] {
  const messages = readMessages({ id, directory });
  return messages
    .flatMap(({ mail, content, at }, index): readonly EarlierPrompt[] =>
      mail === 'prompt' ? [{ ...promptOf(content), at, before: messages[index - 1]?.uuid }] : [],
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
  return [...lines, 'To go back to before one: /rewind NUMBER. Files stay as they are.'].join('\n');
}

function described({ text, at }: EarlierPrompt, room: number): string {
  const age = describeAge(Date.now() - at);
  return `${oneLine(printableLine(text), Math.max(room - age.length - 3, 10))} · ${age}`;
}

/** Show the prompts in the live part, and go back to before the chosen one. */
function openList(prompts: readonly EarlierPrompt[], context: RewindContext): void {
  const { terminal } = context;
  openPickList(terminal, {
    title: 'Go back to before a prompt; files stay',
    choices: prompts.map((prompt) => ({
      value: prompt,
      name: oneLine(prompt.text, WIDTH),
      facts: describeAge(Date.now() - prompt.at),
      text: prompt.text,
    })),
    onEnd(chosen) {
      if (chosen === undefined) return;
      rewindTo(chosen, context).then(
        (line) => terminal.print(line),
        (error: unknown) => terminal.print(messageOf(error)),
      );
    },
  });
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
  return `This is before "${oneLine(printableLine(text), 60)}". Files are as they were. The whole conversation: /resume ${id}`;
}
