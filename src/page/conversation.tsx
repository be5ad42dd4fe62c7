import { useState } from 'preact/hooks';
import { unmistakable } from '../core/text/printable.js';
import type { AgentView, ConversationItem } from '../view/agent-view.js';
import { plainMessage } from '../view/plain-message.js';
import { Call, type StartedTask } from './call.js';
import { Folded } from './folded.js';
import { Markdown } from './markdown.js';
import { arriving } from './reply.js';
import {
  command,
  isCutOff,
  isNow,
  nameOf,
  shownAgent,
  shownTask,
  shownTime,
  travelTo,
  view,
} from './state.js';
import { Unchanged } from './unchanged.js';
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

/** The newest entry is at the lower end; the list stays there while entries come. */
function AgentConversation({ agent }: { readonly agent: AgentView }) {
  const [shown, setShown] = useState(PAGE);
  const left = Math.max(0, agent.items.length - shown);
  const items = agent.items.slice(left);
  const started = startedTasks();
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
                <Entry item={item} agent={agent} started={started} />
              </li>
            ))}
            <Arriving agent={agent} />
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

/** The reply that is arriving, until it is an entry. */
function Arriving({ agent }: { readonly agent: AgentView }) {
  const text = arriving.value;
  const newest = agent.items.flatMap((item) => (item.type === 'text' ? item.text : [])).at(-1);
  if (text === '' || newest?.startsWith(text) === true) return null;
  return (
    <li class="item arriving">
      <Markdown text={text} />
    </li>
  );
}

/** The tasks of agents by the tool calls that started them. */
function startedTasks(): ReadonlyMap<string, StartedTask> {
  const tasks = [...view.value.tasks.values()].flatMap(({ state: { id, toolUseId }, agentId }) =>
    toolUseId === undefined || agentId === undefined
      ? []
      : [[toolUseId, { id, name: nameOf(agentId) }] as const],
  );
  return new Map(tasks);
}

/** An entry with everything that its drawing depends on, so that it is drawn once. */
function Entry({
  item,
  agent,
  started,
}: {
  readonly item: ConversationItem;
  readonly agent: AgentView;
  /** The tasks of agents by the tool calls that started them. */
  readonly started: ReadonlyMap<string, StartedTask>;
}) {
  if (item.type !== 'call') {
    const from = 'from' in item ? nameOf(item.from) : '';
    return <Unchanged of={[item, from]} draw={() => <Item item={item} from={from} />} />;
  }
  const call = agent.calls.get(item.id);
  if (call === undefined) return null;
  const decision = view.value.decisions.get(item.id);
  const task = started.get(item.id);
  const hasEnded = agent.endedAs !== undefined || isCutOff.value;
  const until = call.result?.at ?? (hasEnded ? call.at : shownTime.value);
  return (
    <Unchanged
      of={[call, decision, task?.id, hasEnded, until]}
      draw={() => (
        <Call
          call={call}
          cwd={agent.cwd}
          decision={decision}
          started={task}
          hasEnded={hasEnded}
          tookMs={until - call.at}
        />
      )}
    />
  );
}

function Item({
  item,
  from,
}: {
  readonly item: Exclude<ConversationItem, { readonly type: 'call' }>;
  /** The name of the sender. */
  readonly from: string;
}) {
  switch (item.type) {
    case 'message':
      return (
        <>
          <b class="speaker">
            <bdi>{unmistakable(from)}</bdi> <small>{item.kind}</small>
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
      return <p>A copy of {unmistakable(from)}.</p>;
    case 'failure':
      return (
        <>
          <b class="failed">{unmistakable(item.code)}</b>
          <p>{unmistakable(item.message)}</p>
        </>
      );
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
