import { messageOf } from '../../api/errors.js';
import { isTypedCommand, lineOf, sendPrompt } from '../../api/sessions/prompts.js';
import type { SessionHandle } from '../../api/types.js';
import { toRefusedResult } from '../headless/refused-result.js';
import type { InputLine } from './input-line.js';

type Prompt = Extract<InputLine, { type: 'user' }>;

/**
 * Sends the prompts of a client in their order. The command of a skill may need a decision that a later line brings, so
 * it holds up no line.
 */
export interface PromptSender {
  /**
   * Resolve when the next line may be taken. A command that cannot be used gets a result that says why.
   *
   * @param report gets the reason if another prompt cannot be sent
   */
  send(session: SessionHandle, prompt: Prompt, report: (message: string) => void): Promise<void>;
  /** Resolve when all prompts so far have been sent. */
  sent(): Promise<void>;
}

export function createPromptSender({
  write,
  warn,
}: {
  /** Write a line to the client. */
  readonly write: (line: object) => void;
  /** Write a line to stderr. */
  readonly warn: (line: string) => void;
}): PromptSender {
  let sending: Promise<void> = Promise.resolve();
  let commands = 0;

  const sendCommand = async (session: SessionHandle, prompt: Prompt): Promise<void> => {
    commands += 1;
    try {
      const { refuseTerminalOnly } = await import('../headless/refuse-terminal-only.js');
      refuseTerminalOnly(lineOf(prompt.content), session.skills());
      await sendPrompt(session, prompt.content, prompt.uuid);
    } catch (error) {
      warn(messageOf(error));
      write(toRefusedResult(messageOf(error), session.sessionId));
    } finally {
      commands -= 1;
    }
  };

  return {
    async send(session, prompt, report) {
      const { content, uuid } = prompt;
      const isCommand = isTypedCommand(content);
      sending = sending.then(() =>
        isCommand
          ? sendCommand(session, prompt)
          : sendPrompt(session, content, uuid).catch((error: unknown) => report(messageOf(error))),
      );
      if (!isCommand && commands === 0) await sending;
    },
    sent: () => sending,
  };
}
