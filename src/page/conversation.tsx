import { useState } from 'preact/hooks';
import { unmistakable } from '../core/text/printable.js';
import type { AgentView, CallView, ConversationItem } from '../view/agent-view.js';
import type { DecisionView } from '../view/decision-view.js';
import { command, nameOf, shownAgent, travelTo, until, view } from './state.js';
import { clock } from './words.js';

/** Most items that are drawn; earlier ones are drawn on demand. */
const PAGE = 200;

/** The conversation of the chosen agent. */
export function Conversation() {
  const agent = shownAgent.value;
  return (
    <div class="conversation">
      {agent === undefined ? (
        <p>No agent yet.</p>
      ) : (
        <AgentConversation key={agent.id} agent={agent} />
      )}
    </div>
  );
}

function AgentConversation({ agent }: { readonly agent: AgentView }) {
  const [shown, setShown] = useState(PAGE);
  const left = Math.max(0, agent.items.length - shown);
  const items = agent.items.slice(left);
  return (
    <>
      <h2>
        <bdi>{unmistakable(agent.name)}</bdi> <small>{unmistakable(agent.model)}</small>
      </h2>
      {left > 0 ? (
        <button type="button" onClick={() => setShown(shown + PAGE)}>
          Show {Math.min(left, PAGE)} earlier entries of {left}
        </button>
      ) : null}
      {agent.dropped > 0 ? (
        <button type="button" onClick={() => travelTo(view.value.at)}>
          Stop here and show {agent.dropped} entries that came before
        </button>
      ) : null}
      <ol>
        {items.map((item, index) => (
          <li key={left + index} class={`item ${item.type}`}>
            <time>{clock(item.at)}</time>
            <Item item={item} agent={agent} />
          </li>
        ))}
        {agent.unread.map((message) => (
          <li key={message.id} class="item unread">
            <b>Not read yet, from {unmistakable(nameOf(message.from))}</b>
          </li>
        ))}
      </ol>
      {agent.endedAs === undefined && until.value === undefined ? <Message agent={agent} /> : null}
    </>
  );
}

function Item({ item, agent }: { readonly item: ConversationItem; readonly agent: AgentView }) {
  switch (item.type) {
    case 'message':
      return <Text head={`${item.kind} from ${nameOf(item.from)}`} text={item.text} />;
    case 'text':
      return <Text text={item.text} />;
    case 'thinking':
      return <Folded head="thinking" text={item.text} />;
    case 'compacted':
      return <Folded head="The conversation was compacted." text={item.summary} />;
    case 'forked':
      return <Text text={`A copy of ${nameOf(item.from)}.`} />;
    case 'failure':
      return <Text head={item.code} text={item.message} />;
    case 'call': {
      const call = agent.calls.get(item.id);
      return call === undefined ? null : (
        <Call call={call} decision={view.value.decisions.get(item.id)} />
      );
    }
    default:
      return item satisfies never;
  }
}

function Call({
  call: { tool, input, result },
  decision,
}: {
  readonly call: CallView;
  readonly decision: DecisionView | undefined;
}) {
  const decided =
    decision === undefined
      ? ''
      : ` · ${decision.behavior}${decision.by === undefined ? '' : ` by ${decision.by}`}`;
  const state = result === undefined ? 'runs' : result.isError ? 'failed' : 'done';
  return (
    <>
      <b>
        <bdi>{unmistakable(tool)}</bdi> <span class={`state ${state}`}>{state}</span>
        <small>{unmistakable(decided)}</small>
      </b>
      <pre>{unmistakable(inputText(input))}</pre>
      {result === undefined ? null : <Folded head="result" text={result.text} />}
    </>
  );
}

function inputText(input: unknown): string {
  const { command: line } = Object(input) as { readonly command?: unknown };
  return typeof line === 'string' ? line : JSON.stringify(input, null, 2);
}

function Text({ head, text }: { readonly head?: string; readonly text: string }) {
  return (
    <>
      {head === undefined ? null : <b>{unmistakable(head)}</b>}
      <p>{unmistakable(text)}</p>
    </>
  );
}

function Folded({ head, text }: { readonly head: string; readonly text: string }) {
  return (
    <details>
      <summary>
        {head} ({text.length} characters)
      </summary>
      <pre>{unmistakable(text)}</pre>
    </details>
  );
}

function Message({ agent }: { readonly agent: AgentView }) {
  const [text, setText] = useState('');
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await command('/send', { task: agent.taskId, text }, 'The message is in the mailbox.'))
      setText('');
  };
  return (
    <form class="compose" onSubmit={(event) => void send(event)}>
      <input
        aria-label={`Message to ${unmistakable(agent.name)}`}
        placeholder="Message"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" disabled={text.trim() === ''}>
        Send
      </button>
    </form>
  );
}
