import { selectBoard } from '../view/select-board.js';
import { Board } from './board.js';
import { Budget } from './budget.js';
import { Conversation } from './conversation.js';
import { Messages } from './messages.js';
import { chosenView, view } from './state.js';
import { Statecharts } from './statechart.js';
import { Timeline } from './timeline.js';

const PANELS = {
  Conversation,
  Timeline,
  Messages,
  'To-do': Board,
  Budget,
  Statechart: Statecharts,
} as const;
type Name = keyof typeof PANELS;
const NAMES = Object.keys(PANELS) as readonly Name[];

/** The views of the middle, one at a time. */
export function Panels() {
  const name = NAMES.find((one) => one === chosenView.value) ?? 'Conversation';
  const Panel = PANELS[name];
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = NAMES.at((NAMES.indexOf(name) + step) % NAMES.length) ?? name;
    chosenView.value = next;
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label="Views" onKeyDown={move}>
        {NAMES.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`tab-${one}`}
            aria-label={one}
            aria-selected={one === name}
            aria-controls="panel"
            tabIndex={one === name ? 0 : -1}
            onClick={() => (chosenView.value = one)}
          >
            {one}
            {one === 'To-do' && openItems() > 0 ? <small>{openItems()}</small> : null}
          </button>
        ))}
      </div>
      <section id="panel" role="tabpanel" aria-label={name} class={`panel ${name}`}>
        <Panel />
      </section>
    </>
  );
}

/** The number of open to-do items. */
function openItems(): number {
  const items = selectBoard(view.value).flatMap((list) => list.items);
  return items.filter(({ status }) => status !== 'completed').length;
}
