import type { ModelRequest } from '../../src/model/model.js';
import { newestResults, resultText, userTexts } from './scripts.js';
import { agentCall } from './scripts.js';

/** A call of Agent that adds a teammate. */
export function teammateCall(
  name: string,
  {
    team = 'crew',
    type = 'worker',
    prompt = 'Do your part.',
    mode = undefined as string | undefined,
  } = {},
) {
  const { input } = agentCall(type, { name, prompt, ...(mode === undefined ? {} : { mode }) });
  const { run_in_background: _left, ...rest } = input;
  return { name: 'Agent', input: { ...rest, team_name: team } };
}

export function sendCall(to: string, message: unknown) {
  return { name: 'SendMessage', input: { to, message } };
}

/** The newest text that an agent got: its results, then its mail. */
export function newestTold({ messages }: Pick<ModelRequest, 'messages'>): string {
  const newest = messages.at(-1);
  return [
    ...newestResults(messages).map(resultText),
    ...(newest === undefined ? [] : userTexts([newest])),
  ].join('\n');
}
