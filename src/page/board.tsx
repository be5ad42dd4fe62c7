import { unmistakable } from '../core/text/printable.js';
import { totalTokens } from '../core/tasks/usage.js';
import { costOfAgent } from '../view/select-tree.js';
import { costOf, view } from './state.js';
import { usd } from './words.js';

/** The to-do lists of the session and its teams. */
export function Board() {
  const lists = [...view.value.teams].filter(([, { list }]) => list.tasks.size > 0);
  if (lists.length === 0) return null;
  return (
    <section aria-label="To-do lists">
      <h2>To-do</h2>
      {lists.map(([name, { list }]) => (
        <div key={name}>
          <h3>{unmistakable(name)}</h3>
          <ul>
            {[...list.tasks.values()].map(({ id, subject, status, owner, blockedBy }) => (
              <li key={id} class={`todo ${status}`}>
                <span class="state">{status.replaceAll('_', ' ')}</span>{' '}
                <bdi>{unmistakable(subject)}</bdi>
                <small>
                  {owner === undefined ? '' : ` · ${unmistakable(owner)}`}
                  {blockedBy.length === 0 ? '' : ` · after ${blockedBy.join(', ')}`}
                </small>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

/** Tokens and cost by agent. */
export function Budget() {
  const agents = [...view.value.agents.values()]
    .map((agent) => ({ agent, ...costOfAgent(agent, costOf) }))
    .filter(({ usage }) => totalTokens(usage) > 0)
    .toSorted((a, b) => totalTokens(b.usage) - totalTokens(a.usage));
  return (
    <section aria-label="Use">
      <h2>Use</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Agent</th>
            <th scope="col">Requests</th>
            <th scope="col">Tokens</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {agents.map(({ agent, usage, usd: amount }) => (
            <tr key={agent.id}>
              <th scope="row">
                <bdi>{unmistakable(agent.name)}</bdi>
              </th>
              <td>{agent.requests.length}</td>
              <td>{totalTokens(usage)}</td>
              <td>{usd(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
