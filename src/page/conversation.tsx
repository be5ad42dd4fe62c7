import { useState } from 'preact/hooks';
import { unmistakable } from '../core/text/printable.js';
import type { AgentView, ConversationItem } from '../view/agent-view.js';
import { plainMessage } from '../view/plain-message.js';
import { Call } from './call.js';
import { Folded } from './folded.js';
import { Markdown } from './markdown.js';
import { command, isNow, nameOf, shownAgent, shownTask, travelTo, view } from './state.js';
import { clock } from './words.js';

/** Most items that are drawn; earlier ones are drawn on demand. */
const PAGE = 200;

/** The conversation of the chosen agent. */
export function Conversation() {
  const agent = shownAgent.value;
  if (agent !== undefined) return <AgentConversation key={agent.id} agent={agent} />;
  return (
    <p class="facts">
      {shownTask.value === undefined ? 'No agent yet.' : 'This task has no conversation.'}
    </p>
  );
}

/** The newest entry is at the lower end, where the list stays while entries come. */
function AgentConversation({ agent }: { readonly agent: AgentView }) {
  const [shown, setShown] = useState(PAGE);
  const left = Math.max(0, agent.items.length - shown);
  const items = agent.items.slice(left);
  return (
    <>
      <div
        class="scroll"
        tabIndex={0}
        role="group"
        aria-label={`Entries of ${unmistakable(agent.name)}`}
      >
        <div>
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
              <li key={agent.dropped + left + index} class={`item ${item.type}`}>
                <time>{clock(item.at)}</time>
                <Item item={item} agent={agent} />
              </li>
            ))}
            {agent.unread.map((message) => (
              <li key={message.id} class="item unread">
                <b>A message from {unmistakable(nameOf(message.from))} that it has not read</b>
              </li>
            ))}
          </ol>
        </div>
      </div>
      {agent.endedAs === undefined && isNow.value ? <Message key={agent.id} agent={agent} /> : null}
    </>
  );
}

function Item({ item, agent }: { readonly item: ConversationItem; readonly agent: AgentView }) {
  switch (item.type) {
    case 'message':
      return (
        <>
          <b class="speaker">
            <bdi>{unmistakable(nameOf(item.from))}</bdi> <small>{item.kind}</small>
          </b>
          <Markdown text={plainMessage(item.text)} />
        </>
      );
    case 'text':
      return <Markdown text={item.text} />;
    case 'thinking':
      return <Folded head="Thinking," text={item.text} />;
    case 'compacted':
      return <Folded head="The conversation was compacted: summary of" text={item.summary} />;
    case 'forked':
      return <p>A copy of {unmistakable(nameOf(item.from))}.</p>;
    case 'failure':
      return (
        <>
          <b class="failed">{unmistakable(item.code)}</b>
          <p>{unmistakable(item.message)}</p>
        </>
      );
    case 'call': {
      const call = agent.calls.get(item.id);
      return call === undefined ? null : (
        <Call call={call} agent={agent} decision={view.value.decisions.get(item.id)} />
      );
    }
    default:
      return item satisfies never;
  }
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
        placeholder={`Message to ${unmistakable(agent.name)}`}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" disabled={text.trim() === ''}>
        Send
      </button>
    </form>
  );
}
