import type { AssistantBlock, AssistantMessage } from '../../../core/messages.js';
import type { Assembler } from '../../../model/stream/assemble.js';
import { emitFrom } from '../../services/event-bus.js';
import type { AgentContext } from '../../../core/agents/agent-context.js';
import type { AgentIdentity } from '../../../core/agents/agent-identity.js';

/** The blocks of one reply. They are held while they may be dropped, then published. */
export interface ReplyBlocks {
  hold(block: AssistantBlock): void;
  readonly held: readonly AssistantBlock[];
  readonly published: readonly AssistantBlock[];
  /** Publish all held blocks. */
  publish(): void;
  /** Drop the held thinking blocks at the end: no other block follows them. */
  dropThoughts(): void;
}

/** @param model the model of the request; the reply may name another one */
export function createReplyBlocks(
  {
    stepContext,
    depth,
    taskId,
  }: Pick<AgentIdentity, 'depth' | 'taskId'> & { readonly stepContext: AgentContext },
  journal: { appendText(file: string, text: string): void },
  assembler: Assembler,
  model: string,
): ReplyBlocks {
  const held: AssistantBlock[] = [];
  const published: AssistantBlock[] = [];

  /** Only a sub-agent has an output file: the text of the main agent is read from its journal. */
  const writeOutput = (text: string): void => {
    if (depth > 0) journal.appendText(`output/${taskId}`, `${text}\n`);
  };

  return {
    held,
    published,
    hold: (block) => void held.push(block),
    publish() {
      for (const block of held.splice(0)) {
        published.push(block);
        if (block.type === 'text') writeOutput(block.text);
        const message: AssistantMessage = { role: 'assistant', content: [block] };
        const reply = {
          id: assembler.messageId() ?? '',
          model: assembler.model() ?? model,
          usage: assembler.usage(),
          stopReason: assembler.stopReason(),
        };
        const meta = { uuid: stepContext.uuid(), reply };
        emitFrom(stepContext, { type: 'agent.message', args: [message, meta] });
      }
    },
    dropThoughts() {
      while (isThought(held.at(-1))) held.pop();
    },
  };
}

function isThought(block: AssistantBlock | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}
