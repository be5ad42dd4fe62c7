import type { AssistantBlock, SessionMessage } from '../../api/types.js';
import { oneLine, shorten, withoutAdvice } from '../../api/text.js';
import { callLine } from './call-line.js';

const WIDTH = 100;

/** Convert messages to plain lines for people. */
export function createProgressLines(): (message: SessionMessage) => readonly string[] {
  /** Names of agents by the tool call that started them, and by their task. */
  const names = new Map<string, string>();
  const nameOf = (parentToolUseId: string | null): string =>
    parentToolUseId === null ? 'main' : (names.get(parentToolUseId) ?? parentToolUseId);

  return (message) => {
    switch (message.type) {
      case 'assistant': {
        const name = nameOf(message.parent_tool_use_id);
        const blocks = message.message.content as readonly AssistantBlock[]; // as the session has them
        return blocks.flatMap((block) =>
          block.type === 'tool_use'
            ? [`[${name}] ${callLine(block.name, block.input, WIDTH)}`]
            : [],
        );
      }
      case 'rate_limit_event':
        return [shorten(message.message, 2 * WIDTH)];
      case 'system':
        return systemLines(message, names);
      default:
        return [];
    }
  };
}

function systemLines(
  message: Extract<SessionMessage, { type: 'system' }>,
  names: Map<string, string>,
): readonly string[] {
  switch (message.subtype) {
    case 'task_started': {
      const name = oneLine(message.description, 40);
      if (message.tool_use_id !== undefined) names.set(message.tool_use_id, name);
      names.set(message.task_id, name);
      return [`[${name}] started as ${message.task_id}`];
    }
    case 'task_notification': {
      const name = names.get(message.tool_use_id ?? '') ?? message.task_id;
      const summary = shorten(message.summary, WIDTH);
      const isRepeated = oneLine(message.summary, 40) === name;
      return [`[${name}] ${message.status}${isRepeated ? '' : `: ${summary}`}`];
    }
    case 'api_retry': {
      const { attempt, retry_delay_ms: delayMs } = message;
      const seconds = (delayMs / 1000).toFixed(1);
      const why = shorten(message.message, WIDTH);
      return [`the model does not answer (${why}): retry ${attempt} in ${seconds} s`];
    }
    case 'messages_left_out':
      return []; // pieces are never shown here
    case 'model_fallback': {
      const { from, to, reason } = message;
      return [`${to} replaces ${from} (${shorten(reason, WIDTH)})`];
    }
    case 'status': {
      const { status, compact_error: error } = message;
      const of = nameOfTask(message.agent_id, names);
      if (status === 'compacting') return [`${of}compacting the conversation`];
      return error === undefined ? [] : [`${of}${shorten(error, 2 * WIDTH)}`];
    }
    case 'compact_boundary': {
      const { trigger, pre_tokens: tokens } = message.compact_metadata;
      const of = nameOfTask(message.agent_id, names);
      return [`${of}compacted the conversation of ${tokens} tokens (${trigger})`];
    }
    case 'permission_denied':
      return [`denied: ${message.tool_name}: ${shorten(withoutAdvice(message.message), WIDTH)}`];
    case 'hook_started':
    case 'hook_response': // a warning reports it
    case 'commands_changed':
    case 'init':
    case 'local_command_output':
    case 'model_refusal_no_fallback': // the result says it
    case 'session_state_changed':
    case 'background_tasks_changed':
    case 'task_progress':
    case 'task_updated':
      return [];
    default:
      return message satisfies never;
  }
}

/** The name of a sub-agent at the beginning of its lines. */
function nameOfTask(taskId: string | undefined, names: ReadonlyMap<string, string>): string {
  return taskId === undefined ? '' : `[${names.get(taskId) ?? taskId}] `;
}
