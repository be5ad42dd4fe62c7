import { useState } from 'preact/hooks';
import { unmistakable } from '../core/text/printable.js';
import { selectBoard, type BoardList } from '../view/select-board.js';
import type { BoardItem } from '../view/todos.js';
import { view } from './state.js';

/** The to-do lists of the session, its teams and its agents. */
export function Board() {
  const lists = selectBoard(view.value);
  if (lists.length === 0) return <p class="facts">No to-do item yet.</p>;
  return (
    <>
      {lists.map((list) => (
        <List key={list.name} list={list} />
      ))}
    </>
  );
}

/** Most items that are drawn; further ones are drawn on demand. */
const PAGE = 200;

function List({ list: { name, items } }: { readonly list: BoardList }) {
  const [shown, setShown] = useState(PAGE);
  const open = new Map(
    items.filter(({ status }) => status !== 'completed').map((item) => [item.id, item]),
  );
  const left = Math.max(0, items.length - shown);
  return (
    <section aria-label={`To-do list of ${unmistakable(name)}`}>
      <h3>
        <bdi>{unmistakable(name)}</bdi>{' '}
        <small>
          {items.length - open.size} of {items.length} done
        </small>
      </h3>
      <ul>
        {items.slice(0, shown).map((item) => (
          <Item
            key={item.id}
            item={item}
            waitsFor={item.blockedBy.flatMap((id) => open.get(id) ?? [])}
          />
        ))}
      </ul>
      {left > 0 ? (
        <button type="button" onClick={() => setShown(shown + PAGE)}>
          Show {Math.min(left, PAGE)} more items of {left}
        </button>
      ) : null}
    </section>
  );
}

const MARKS = { pending: '☐', in_progress: '▶', completed: '✔' } as const;

function Item({
  item: { id, subject, status, owner },
  waitsFor,
}: {
  readonly item: BoardItem;
  /** The items that must be completed before it. */
  readonly waitsFor: readonly BoardItem[];
}) {
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
