import type { Message, ToolResultBlock } from '../../src/core/messages.js';
import type { ModelRequest } from '../../src/model/model.js';
import type { ScriptedReply } from '../../src/model/scripted/script.js';
import type { ScriptFunction } from '../../src/model/scripted/scripted-model.js';

type Step = ScriptedReply | ((request: ModelRequest) => ScriptedReply | Promise<ScriptedReply>);

/**
 * A script that answers each agent by its own list: the first reply to its first request, and so on; the last one
 * stands for all that follow. Agents are found by name, then by type.
 */
export function playParts(parts: Readonly<Record<string, readonly Step[]>>): ScriptFunction {
  const requests = new Map<string, number>();
  return (request) => {
    const { agentId, agentType, name } = request.origin;
    const steps = parts[name ?? agentType] ?? parts[agentType];
    if (steps === undefined) throw new Error(`The script has no part for ${name ?? agentType}.`);
    const turn = requests.get(agentId) ?? 0;
    requests.set(agentId, turn + 1);
    const step = steps[Math.min(turn, steps.length - 1)];
    if (step === undefined) throw new Error(`The part of ${name ?? agentType} is empty.`);
    return typeof step === 'function' ? step(request) : step;
  };
}

/** A call of the Agent tool. */
export function agentCall(
  type: string,
  options: {
    readonly prompt?: string;
    readonly name?: string;
    readonly background?: boolean;
    readonly mode?: string;
  } = {},
) {
  const { prompt = 'Do your part.', name, background = false, mode } = options;
  return {
    name: 'Agent',
    input: {
      description: name ?? type,
      prompt,
      subagent_type: type,
      run_in_background: background,
      ...(name === undefined ? {} : { name }),
      ...(mode === undefined ? {} : { mode }),
    },
  };
}

export function bashCall(command: string, options: { readonly background?: boolean } = {}) {
  return { name: 'Bash', input: { command, run_in_background: options.background ?? false } };
}

/** Results that the newest user message of a conversation brings, in its order. */
export function newestResults(messages: readonly Message[]): readonly ToolResultBlock[] {
  const newest = messages.at(-1);
  return newest?.role === 'user' ? resultsOf([newest]) : [];
}

export function resultsOf(messages: readonly Message[]): readonly ToolResultBlock[] {
  return messages.flatMap((message) =>
    message.role === 'user' ? message.content.filter((block) => block.type === 'tool_result') : [],
  );
}

/** Text of a result, images left out. */
export function resultText({ content }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Text blocks of the user, all of a conversation's or of one message. */
export function userTexts(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) =>
    message.role === 'user'
      ? message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
      : [],
  );
}
