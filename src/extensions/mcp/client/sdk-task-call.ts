import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, type Task } from '@modelcontextprotocol/sdk/types.js';
import { untilAborted } from '../../../core/until-aborted.js';

/**
 * Call a tool as a task of the protocol: the server works on it while the client asks for its status. If the signal
 * aborts, the task is cancelled at the server.
 */
export async function callAsTask(
  client: Client,
  params: { readonly name: string; readonly arguments: Record<string, unknown> },
  options: { readonly signal: AbortSignal; readonly timeout: number },
  onStatus: (task: Task) => void,
): Promise<unknown> {
  const { tasks } = client.experimental;
  let id: string | undefined;
  const run = async (): Promise<unknown> => {
    const stream = tasks.callToolStream(params, CallToolResultSchema, { ...options, task: {} });
    for await (const message of stream) {
      if (message.type === 'result') return message.result;
      if (message.type === 'error') throw message.error;
      id = message.task.taskId;
      onStatus(message.task);
    }
    throw new Error('the task ended without a result');
  };
  try {
    return await untilAborted(run(), options.signal); // a server may ask for long pauses between two requests
  } catch (error) {
    if (id !== undefined && options.signal.aborted) tasks.cancelTask(id).catch(() => {}); // whatever the server answers
    throw error;
  }
}
