import { copySession, readMessages } from '../../api/journal.js';
import { messageOf, UsageError } from '../../api/errors.js';
import { oneLine, printableLine } from '../../api/text.js';
import type { SessionHandle, SessionStart } from '../../api/types.js';
import { describeAge } from '../describe-time.js';
import { plainLine, type Line } from '../terminal/line.js';
import type { Terminal } from '../terminal/terminal.js';

/** A prompt of the session, and the message before it. */
export type EarlierPrompt = {
  readonly text: string;
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
  begin(id?: string, how?: Pick<SessionStart, 'permissionMode'>): Promise<void>;
};

/** Rows of the screen that the list leaves for everything else. */
const RESERVED = 9;
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
      mail === 'prompt' ? [{ text: textOf(content), at, before: messages[index - 1]?.uuid }] : [],
    )
    .toReversed();
}

function textOf(content: readonly unknown[]): string {
  return content
    .map((block) => {
      const { text } = block as { readonly text?: unknown }; // a block of the Messages API
      return typeof text === 'string' ? text : '[image]';
    })
    .filter((text) => !text.startsWith('<bash-input>'))
    .join('\n');
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

/** Show the prompts in the live part, and take the keys until one is chosen. */
function openList(prompts: readonly EarlierPrompt[], context: RewindContext): void {
  const { terminal } = context;
  let selected = 0;
  const draw = (): void => terminal.show({ tree: listLines(prompts, selected, terminal) });
  const close = (): void => {
    terminal.focus(undefined);
    terminal.show({ tree: undefined });
  };
  terminal.focus(({ name, ctrl, meta }) => {
    if (ctrl || meta) return false;
    if (name === 'up') selected = Math.max(selected - 1, 0);
    else if (name === 'down') selected = Math.min(selected + 1, prompts.length - 1);
    else close();
    if (name === 'up' || name === 'down') draw();
    const chosen = prompts[selected];
    if (name === 'return' && chosen !== undefined)
      rewindTo(chosen, context).then(
        (line) => terminal.print(line),
        (error: unknown) => terminal.print(messageOf(error)),
      );
    return true;
  });
  draw();
}

function listLines(
  prompts: readonly EarlierPrompt[],
  selected: number,
  { rows, columns }: Pick<Terminal, 'rows' | 'columns'>,
): readonly Line[] {
  const height = Math.max(rows - RESERVED, 3);
  const from = Math.max(Math.min(selected - Math.floor(height / 2), prompts.length - height), 0);
  const keys = '↑ ↓ · Enter · Esc closes';
  return [
    plainLine(
      columns < 60
        ? `Go back to · ${keys}`
        : `Go back to before a prompt · ${keys} · files stay as they are`,
      'dim',
    ),
    ...prompts.slice(from, from + height).map((prompt, index): Line => {
      const isSelected = from + index === selected;
      const text = `${isSelected ? '▸' : ' '} ${described(prompt, columns - 4)}`;
      return [isSelected ? { text, style: 'selected' } : { text }];
    }),
  ];
}

/** Begin again before a prompt, in a copy of the session. @returns a line about it */
async function rewindTo({ text, before }: EarlierPrompt, context: RewindContext): Promise<string> {
  const { session, terminal, begin } = context;
  const { sessionId: id, directory } = session;
  const copy =
    before === undefined
      ? undefined
      : await copySession({ id, directory }, { upToMessageId: before });
  await begin(copy?.id, { permissionMode: session.permissions().mode });
  terminal.fill(text);
  return `This is before "${oneLine(printableLine(text), 60)}". Files are as they were. The whole conversation: /resume ${id}`;
}
