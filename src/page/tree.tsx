import { unmistakable } from '../core/text/printable.js';
import { totalTokens } from '../core/tasks/usage.js';
import { ACTIVITY_WORDS } from '../view/activity-words.js';
import { selectTree, type TreeNode } from '../view/select-tree.js';
import { callSubject } from './call.js';
import { costOf, isCutOff, isNow, live, openTask, shownTask, shownTime, view } from './state.js';
import { Unchanged } from './unchanged.js';
import { age, count, usd } from './words.js';

/** The tasks of the session: those in which something waits for a person come first. */
export function Tree() {
  const roots = selectTree(view.value, costOf);
  return (
    <section aria-label="Agents and tasks" class="tree">
      <h2>Agents</h2>
      {roots.length === 0 ? <p class="facts">No task yet.</p> : null}
      <div class="nodes" onKeyDown={moveFocus}>
        <Nodes nodes={roots} />
      </div>
    </section>
  );
}

/** Arrow keys move between the nodes, which are one stop of the Tab key. */
function moveFocus(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const nodes = [...event.currentTarget.querySelectorAll<HTMLElement>('.node, summary')].filter(
    (node) => node.checkVisibility(),
  );
  const at = nodes.indexOf(document.activeElement as HTMLElement); // -1 if it is another element
  nodes[at + step]?.focus();
  event.preventDefault();
}

/** Most ended tasks that are shown in their place. */
const MOST_ENDED = 8;

function Nodes({ nodes }: { readonly nodes: readonly TreeNode[] }) {
  const ended = nodes.filter(({ task }) => task.state.endTime !== undefined);
  const isFolded = ended.length > MOST_ENDED;
  const shown = isFolded ? nodes.filter((node) => !ended.includes(node)) : nodes;
  return (
    <ul>
      {shown.map((node) => (
        <Node key={node.task.state.id} node={node} />
      ))}
      {isFolded ? (
        <li>
          <details>
            <summary>{ended.length} ended</summary>
            <ul>
              {ended.map((node) => (
                <Node key={node.task.state.id} node={node} />
              ))}
            </ul>
          </details>
        </li>
      ) : null}
    </ul>
  );
}

function Node({ node }: { readonly node: TreeNode }) {
  const { task, agent, total, requests, waiting, children } = node;
  const { id, type, description, startTime, endTime } = task.state;
  const isShown = shownTask.value?.state.id === id;
  const name = agent?.name ?? KINDS[type] ?? type;
  const state = stateOf(node);
  const doing = doingOf(node);
  const tokens = totalTokens(total.usage);
  const facts = [
    age((endTime ?? shownTime.value) - startTime),
    ...(tokens === 0 ? [] : [`${count(tokens)} tokens`]),
    ...(tokens === 0 || total.usd === undefined ? [] : [usd(total.usd)]),
  ].join(' · ');
  const below = waiting - requests.length;
  const draw = () => (
    <button
      type="button"
      class={endTime === undefined ? 'node' : 'node ended'}
      aria-current={isShown}
      tabIndex={isShown ? 0 : -1}
      onClick={() => openTask(id)}
    >
      <span class="line">
        <span class="who">
          <b>
            <bdi>{unmistakable(name)}</bdi>
          </b>{' '}
          <bdi class="what">{name === description ? '' : unmistakable(description)}</bdi>
        </span>{' '}
        <span class={`state ${state.replaceAll(' ', '-')}`}>{state}</span>
      </span>{' '}
      <span class="line">
        {doing === '' ? null : (
          <span class="doing" title={doing}>
            {doing}
          </span>
        )}{' '}
        <span class="facts">{facts}</span>
      </span>{' '}
      {below > 0 ? <b class="below">{below} below need you</b> : null}
    </button>
  );
  return (
    <li>
      <Unchanged of={[name, description, state, doing, facts, below, isShown]} draw={draw} />
      {children.length > 0 ? <Nodes nodes={children} /> : null}
    </li>
  );
}

const KINDS: Readonly<Record<string, string>> = {
  session: 'session',
  local_bash: 'command',
  local_workflow: 'workflow',
  local_tool: 'tool',
};

/** The state of a task in words. */
export function stateOf({
  task,
  agent,
  requests,
}: Pick<TreeNode, 'task' | 'agent' | 'requests'>): string {
  const { status, endTime } = task.state;
  if (endTime !== undefined) return status;
  if (isCutOff.value) return 'crashed';
  if (requests.length > 0) return 'needs you';
  return agent === undefined ? status : ACTIVITY_WORDS[agent.activity];
}

/** The open tool calls of a task or, if there are none, its waits as its process tells them. */
function doingOf({ task, agent, calls }: TreeNode): string {
  if (task.state.endTime !== undefined) return '';
  const called = calls.map(({ tool, input }) => `${tool}: ${callSubject(input, agent?.cwd ?? '')}`);
  const told = isNow.value
    ? live.value.troupes.map(({ activities }) => activities[task.state.id]).find(Boolean)
    : undefined;
  const words = called.length > 0 ? called.join('; ') : (told ?? '').replace(MODEL_WAIT, '');
  return unmistakable(words.slice(0, MOST_CHARACTERS));
}

const MOST_CHARACTERS = 200;
/** The state says it: a model request. */
const MODEL_WAIT = /^waits for the (?:first|next) event of the model.*/;
