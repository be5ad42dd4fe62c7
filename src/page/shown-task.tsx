import { useState } from 'preact/hooks';
import { unmistakable } from '../core/text/printable.js';
import { selectRequests } from '../view/select-requests.js';
import { command, isNow, shownAgent, shownTask, shownTime, view } from './state.js';
import { AgentTimeline } from './timeline.js';
import { stateOf } from './tree.js';
import { age, clock } from './words.js';

/** The chosen task: its state, since when, and its time. */
export function ShownTask() {
  const task = shownTask.value;
  const agent = shownAgent.value;
  if (task === undefined) return null;
  const { id, description, startTime, endTime } = task.state;
  const requests = selectRequests(view.value).filter(({ taskId }) => taskId === id);
  const state = stateOf({ task, agent, requests });
  const since = endTime ?? agent?.since ?? startTime;
  const name = agent?.name ?? description;
  return (
    <section aria-label="Chosen task" class="chosen">
      <div class="title">
        <h2>
          <bdi>{unmistakable(name)}</bdi>
          {name === description ? null : <small>{unmistakable(description)}</small>}
        </h2>
        <span class={`state ${state.replaceAll(' ', '-')}`}>{state}</span>
        {isNow.value && endTime === undefined ? <Kill key={id} id={id} name={name} /> : null}
      </div>
      <p class="facts">
        {endTime === undefined ? `for ${age(shownTime.value - since)}` : `at ${clock(endTime)}`}
        {' · '}began at {clock(startTime)}
        {agent === undefined
          ? ''
          : [agent.agentType, agent.model, agent.mode ?? '']
              .filter((fact) => fact !== '' && fact !== name)
              .map((fact) => ` · ${unmistakable(fact)}`)}
      </p>
      {agent === undefined ? null : <AgentTimeline agent={agent} />}
    </section>
  );
}

/** A button that ends a task, after a second question. */
function Kill({ id, name }: { readonly id: string; readonly name: string }) {
  const [isAsked, setAsked] = useState(false);
  const shown = unmistakable(name);
  if (!isAsked)
    return (
      <button
        type="button"
        class="kill"
        aria-label={`Kill ${shown}`}
        onClick={() => setAsked(true)}
      >
        Kill
      </button>
    );
  return (
    <span role="group" aria-label="Really?" class="really">
      End it with everything below it?{' '}
      <button
        type="button"
        class="kill"
        aria-label={`Yes, kill ${shown}`}
        onClick={() => {
          setAsked(false);
          void command('/kill', { task: id }, `${id} was killed.`);
        }}
      >
        Kill
      </button>
      <button type="button" ref={focus} onClick={() => setAsked(false)}>
        Cancel
      </button>
    </span>
  );
}

function focus(element: HTMLElement | null): void {
  element?.focus();
}
