import { unmistakable } from '../core/text/printable.js';
import { view } from './state.js';

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
