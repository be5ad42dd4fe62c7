import type { AgentDriver } from '../agent/agent-parts.js';

/** Has an agent say nothing, whatever it is told: that of a session that only hosts what a program starts in it. */
export const SILENT_DRIVER: AgentDriver = {
  model: {
    stream: () => Promise.resolve(replay()),
  },
  onData: () => {},
};

async function* replay() {
  yield { type: 'message_start', message: { type: 'message', role: 'assistant', content: [] } };
  yield { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} };
  yield { type: 'message_stop' };
}
