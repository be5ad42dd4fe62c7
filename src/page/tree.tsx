import { unmistakable } from '../core/text/printable.js';
import { totalTokens } from '../core/tasks/usage.js';
import { ACTIVITY_WORDS } from '../view/activity-words.js';
import { selectTree, type TreeNode } from '../view/select-tree.js';
import { chosenAgent, command, costOf, shownAgent, until, view } from './state.js';
import { age, count, usd } from './words.js';

/** The tasks of the session: those in which something waits for a person come first. */
export function Tree() {
  const roots = selectTree(view.value, costOf);
  return (
    <section aria-label="Agents and tasks" class="tree">
      <h2>Agents</h2>
      {roots.length === 0 ? <p>No task yet.</p> : <Nodes nodes={roots} />}
    </section>
  );
}

function Nodes({ nodes }: { readonly nodes: readonly TreeNode[] }) {
  return (
    <ul>
      {nodes.map((node) => (
        <Node key={node.task.state.id} node={node} />
      ))}
    </ul>
  );
}

function Node({ node }: { readonly node: TreeNode }) {
  const { task, agent, total, requests, waiting, children } = node;
  const { id, type, description, status, startTime, endTime } = task.state;
  const name = unmistakable(agent === undefined ? description : `${agent.name}: ${description}`);
  const isLive = status === 'running' || status === 'pending';
  const activity = agent === undefined ? status : ACTIVITY_WORDS[agent.activity];
  const state = requests.length > 0 ? 'needs you' : isLive ? activity : status;
  const shownUntil = endTime ?? view.value.at;
  return (
    <li>
      <div
        class={`node ${agent !== undefined && shownAgent.value?.id === agent.id ? 'chosen' : ''}`}
      >
        <button
          type="button"
          class="name"
          disabled={agent === undefined}
          aria-current={agent !== undefined && shownAgent.value?.id === agent.id}
          onClick={() => (chosenAgent.value = agent?.id)}
        >
          <span class="kind">{type}</span> <bdi>{name}</bdi>
        </button>
        <span class={`state ${state.replaceAll(' ', '-')}`}>{state}</span>
        <span class="facts">
          {age(shownUntil - startTime)} · {count(totalTokens(total.usage))} tokens ·{' '}
          {usd(total.usd)}
          {waiting > requests.length ? ` · ${waiting - requests.length} below need you` : ''}
        </span>
        {isLive && until.value === undefined ? (
          <button
            type="button"
            aria-label={`Kill ${name}`}
            onClick={() => void command('/kill', { task: id }, `${id} was killed.`)}
          >
            Kill
          </button>
        ) : null}
      </div>
      {children.length > 0 ? <Nodes nodes={children} /> : null}
    </li>
  );
}
