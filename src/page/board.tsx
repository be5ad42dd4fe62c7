import { unmistakable } from '../core/text/printable.js';
import { selectBoard } from '../view/select-board.js';
import type { BoardItem } from '../view/todos.js';
import { view } from './state.js';

/** The to-do lists of the session, its teams and its agents. */
export function Board() {
  const lists = selectBoard(view.value);
  if (lists.length === 0) return <p class="facts">No to-do item yet.</p>;
  return (
    <>
      {lists.map(({ name, items }) => (
        <section key={name} aria-label={`To-do list of ${unmistakable(name)}`}>
          <h3>
            <bdi>{unmistakable(name)}</bdi>{' '}
            <small>
              {items.filter(({ status }) => status === 'completed').length} of {items.length} done
            </small>
          </h3>
          <ul>
            {items.map((item) => (
              <Item key={item.id} item={item} items={items} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

const MARKS = { pending: '☐', in_progress: '▶', completed: '✔' } as const;

function Item({
  item: { id, subject, status, owner, blockedBy },
  items,
}: {
  readonly item: BoardItem;
  readonly items: readonly BoardItem[];
}) {
  const waitsFor = items.filter((one) => blockedBy.includes(one.id) && one.status !== 'completed');
  return (
    <li class={`todo ${status}`}>
      <span aria-hidden="true">{MARKS[status]}</span>{' '}
      <span>
        <bdi>{unmistakable(subject)}</bdi>
        <small>
          {' '}
          #{id} · {status.replaceAll('_', ' ')}
          {owner === undefined ? '' : ` · ${unmistakable(owner)}`}
          {waitsFor.length === 0
            ? ''
            : ` · waits for ${waitsFor.map((one) => `#${one.id} ${unmistakable(one.subject)}`).join(', ')}`}
        </small>
      </span>
    </li>
  );
}
