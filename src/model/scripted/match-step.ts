import {
  resultText,
  type Message,
  type ToolResultBlock,
  type UserBlock,
} from '../../core/messages.js';
import type { ScriptWhen } from './script.js';
import type { ScriptVariables } from './script-variables.js';

/** A `when` with its patterns compiled. */
export type Matcher = {
  readonly user: RegExp | undefined;
  readonly toolResult: RegExp | undefined;
  readonly tool: string | undefined;
  readonly isError: boolean | undefined;
  readonly seen: readonly RegExp[];
};

export function compileWhen(when: ScriptWhen): Matcher {
  const compile = (source: string | undefined): RegExp | undefined =>
    source === undefined ? undefined : new RegExp(source);
  return {
    user: compile(when.user),
    toolResult: compile(when.toolResult),
    tool: when.tool,
    isError: when.isError,
    seen: (when.seen ?? []).map((source) => new RegExp(source)),
  };
}

/**
 * Match a step with the conversation before the message at `end`: returns the captured values, or undefined if it does
 * not match.
 */
export function matchStep(
  matcher: Matcher,
  messages: readonly Message[],
  end: number,
): ScriptVariables | undefined {
  const captured: Record<string, string> = {};
  const fits = (pattern: RegExp | undefined, text: string): boolean => {
    if (pattern === undefined) return true;
    const match = pattern.exec(text);
    for (const [name, value] of Object.entries(match?.groups ?? {})) {
      if (value !== undefined) captured[name] = value;
    }
    return match !== null;
  };

  const { user, toolResult, tool, isError, seen } = matcher;
  if (user !== undefined) {
    const isMet = newBlocks(messages, end).some((b) => b.type === 'text' && fits(user, b.text));
    if (!isMet) return undefined;
  }
  if (toolResult !== undefined || tool !== undefined || isError !== undefined) {
    const isMet = newBlocks(messages, end).some(
      (block) =>
        block.type === 'tool_result' &&
        (isError === undefined || (block.is_error ?? false) === isError) &&
        (tool === undefined || toolNameOf(block, messages, end) === tool) &&
        fits(toolResult, resultText(block)),
    );
    if (!isMet) return undefined;
  }
  for (const pattern of seen) {
    if (!wasSeen(pattern, messages, end, fits)) return undefined;
  }
  return captured;
}

/** The messages since the model's last reply. */
export function newBlocks(messages: readonly Message[], end: number): readonly UserBlock[] {
  let start = end;
  while (start > 0 && messages[start - 1]?.role === 'user') start -= 1;
  const last = messages[start];
  if (start === end - 1 && last?.role === 'user') return last.content; // nearly always
  return messages
    .slice(start, end)
    .flatMap((message) => (message.role === 'user' ? message.content : []));
}

function toolNameOf(
  result: ToolResultBlock,
  messages: readonly Message[],
  end: number,
): string | undefined {
  for (let index = end - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message?.role !== 'assistant') continue;
    for (const block of message.content) {
      if (block.type === 'tool_use' && block.id === result.tool_use_id) return block.name;
    }
  }
  return undefined;
}

function wasSeen(
  pattern: RegExp,
  messages: readonly Message[],
  end: number,
  fits: (pattern: RegExp, text: string) => boolean,
): boolean {
  for (let index = 0; index < end; index += 1) {
    const message = messages[index];
    if (message?.role !== 'user') continue;
    for (const block of message.content) {
      if (block.type === 'text' && fits(pattern, block.text)) return true;
      if (block.type === 'tool_result' && fits(pattern, resultText(block))) return true;
    }
  }
  return false;
}
