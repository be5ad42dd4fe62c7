/** The same conversation as a session: journal, audit and permissions on. */
import { createAnthropicModel, createOrchestrator } from 'troupe';
import { measureConversation } from '../conversation-run.js';
import { MAX_TOKENS, MODEL } from '../scenario.js';
import { withFolder } from '../temporary-folder.js';
import {
  createEcho,
  EQUIPPED_AGENT,
  LEADING_AGENT,
  MEASURED_AGENT,
  PERMISSIONS,
  Wait,
} from '../troupe-parts.js';

await withFolder((folder) =>
  measureConversation(({ url, scenario, hasDefaultTools }) => {
    const subject = scenario.kind === 'sub-agents' ? LEADING_AGENT : MEASURED_AGENT;
    const agent = hasDefaultTools === true ? EQUIPPED_AGENT : subject;
    let onEcho = (): void => {};
    const troupe = createOrchestrator({
      cwd: folder,
      home: folder,
      model: createAnthropicModel({ baseURL: url, apiKey: 'bench' }),
      modelName: MODEL,
      maxTokens: MAX_TOKENS,
      tools: [createEcho(() => onEcho()), Wait],
      agents: [MEASURED_AGENT, LEADING_AGENT, EQUIPPED_AGENT],
      permissions: PERMISSIONS,
    });
    return Promise.resolve({
      async converse(prompt, callback) {
        onEcho = callback;
        const session = troupe.session({ prompt, agent: agent.name });
        for await (const message of session)
          if (message.type === 'result' && message.is_error)
            throw new Error(message.errors.join('; '));
        await session.result;
      },
      close: () => troupe.close(),
    });
  }),
);
