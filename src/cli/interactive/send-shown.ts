import { UsageError } from '../../api/errors.js';
import { readCommand, sendPrompt } from '../../api/sessions/prompts.js';
import type { Picture } from '../../api/files/read-image.js';
import { printableLine } from '../../api/text.js';
import type { ImageBlock, SessionHandle, Skill } from '../../api/types.js';
import type { ComingPicture } from '../terminal/editor/prompt-images.js';
import type { PromptOrigin, TerminalLines } from '../terminal/screen/terminal.js';
import type { OwnCommands } from './own-commands.js';
import type { PromptQueue } from './prompt-queue.js';

/** A prompt of a person. */
export type TypedPrompt = {
  readonly text: string;
  readonly origin: PromptOrigin;
  readonly images: readonly ComingPicture[];
};

/** Send a prompt, and show it. */
export async function sendShown(
  { text, origin, images }: TypedPrompt,
  {
    session,
    terminal,
    queue,
    own,
  }: {
    readonly terminal: Pick<TerminalLines, 'echo'>;
    readonly own: Pick<OwnCommands, 'giveBack' | 'take'>;
    readonly session: SessionHandle;
    readonly queue: PromptQueue;
  },
): Promise<void> {
  const command = readCommand(text, session.skills());
  const skill = command?.kind === 'skill' ? command.skills[0] : undefined;
  if (skill?.context === 'fork')
    terminal.echo(text, origin); // its sub-agent gets the prompt
  else queue.push(text, origin, shownProgress(skill), sentLine(command) ?? text);
  const isCommand = command !== undefined;
  const outputs = isCommand ? '' : own.take();
  try {
    if (isCommand && images.length > 0)
      throw new UsageError('A command takes no images: send them with a prompt.');
    const pictures = await Promise.all(images);
    const texts = outputs === '' ? [text] : [text, outputs];
    const isText = texts.length + pictures.length === 1;
    await sendPrompt(
      session,
      isText ? text : [...texts.map(textBlock), ...pictures.map(imageBlock)],
    );
  } catch (error) {
    own.giveBack(outputs);
    queue.drop(text);
    throw error;
  }
}

const imageBlock = ({ mediaType: media_type, data }: Picture): ImageBlock => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
});
const textBlock = (text: string) => ({ type: 'text', text }) as const;

/** The line that the session makes of a command: whole names, and no sensitive arguments. */
function sentLine(command: ReturnType<typeof readCommand>): string | undefined {
  if (command?.kind === 'mcp') return `/${command.name} ${command.args}`;
  if (command?.kind !== 'skill') return undefined;
  const { skills, args } = command;
  const isSensitive = skills.some((one) => one.isSensitive === true);
  return [...skills.map(({ name }) => `/${name}`), isSensitive ? '' : args].join(' ');
}

/** The progress message of a command as a line begins with it. */
function shownProgress(skill: Skill | undefined): string | undefined {
  const message = skill?.progressMessage;
  return message && printableLine(message.charAt(0).toUpperCase() + message.slice(1));
}
