import { isScripted } from './choose-model.js';
import { shellWord } from './shell-word.js';

/** A command that resumes a session, to be pasted into a shell. It repeats a script, which no journal holds. */
export function resumeCommand(
  command: string,
  sessionId: string,
  model: string | undefined,
): string {
  const script = model !== undefined && isScripted(model) ? ` --model ${shellWord(model)}` : '';
  return `${command} --resume ${sessionId}${script}`;
}
