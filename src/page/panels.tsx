import { signal } from '@preact/signals';
import { Conversation } from './conversation.js';
import { Messages } from './messages.js';
import { Statecharts } from './statechart.js';

const PANELS = { Conversation, Messages, Statechart: Statecharts } as const;
type Name = keyof typeof PANELS;
const NAMES = Object.keys(PANELS) as readonly Name[];

const chosen = signal<Name>('Conversation');

/** The views of the middle, one at a time. */
export function Panels() {
  const name = chosen.value;
  const Panel = PANELS[name];
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = NAMES.at((NAMES.indexOf(name) + step) % NAMES.length) ?? name;
    chosen.value = next;
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
            aria-selected={one === name}
            aria-controls="panel"
            tabIndex={one === name ? 0 : -1}
            onClick={() => (chosen.value = one)}
          >
            {one}
          </button>
        ))}
      </div>
      <section id="panel" role="tabpanel" aria-label={name} class="panel">
        <Panel />
      </section>
    </>
  );
}
