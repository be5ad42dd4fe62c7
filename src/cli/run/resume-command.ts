import { isScripted } from './choose-model.js';
import { shellWord } from '../../api/text.js';

/** The command that resumes a session, for a shell. The script of a scripted model is repeated, for the session does not resume without it. */
export function resumeCommand(
  command: string,
  sessionId: string,
  model: string | undefined,
): string {
  const script = model !== undefined && isScripted(model) ? ` --model ${shellWord(model)}` : '';
  return `${command} --resume ${sessionId}${script}`;
}
