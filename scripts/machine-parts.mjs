// The machines of .build/modules/machines, and the words for their transitions.
import { readdirSync } from 'node:fs';

/** Every machine by its ID. */
export async function loadMachines(folder) {
  const found = [];
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.js')) continue;
    const exported = await import(new URL(name, folder).href);
    found.push(...Object.entries(exported).filter(([key]) => key.endsWith('Machine')));
  }
  return new Map(found.map(([, machine]) => [machine.id, machine]));
}

/** The states of a machine, parents first, and its arrows, as the page draws them. */
export function chartOf({ root }) {
  const states = [];
  const arrows = [];
  const visit = (node) => {
    for (const transition of transitionsOf(node))
      for (const target of transition.target ?? [])
        arrows.push({
          from: node.path.join('.'),
          to: target.path.join('.'),
          label: labelOf(transition),
        });
    for (const child of Object.values(node.states)) {
      const isInitial = node.initial?.target?.includes(child) ?? false;
      states.push({ id: child.path.join('.'), isInitial, isFinal: child.type === 'final' });
      visit(child);
    }
  };
  visit(root);
  return { states, arrows };
}

export function transitionsOf(node) {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
}

export function labelOf({ eventType, guard }) {
  const name = eventNameOf(eventType);
  if (guard === undefined) return name;
  return `${name} [${guardOf(guard)}]`;
}

/** xstate's own names, in words. */
function eventNameOf(eventType) {
  if (eventType === '') return 'at once';
  const done = /^xstate\.(done|error)\.actor\.(.+)$/.exec(eventType);
  if (done !== null)
    return `${done[2] === '*' ? 'a child' : done[2]} ${done[1] === 'done' ? 'ends' : 'crashes'}`;
  const state = /^xstate\.done\.state\.(.+)$/.exec(eventType);
  if (state !== null) return `${state[1].split('.').at(-1)} is done`;
  const after = /^xstate\.after\.(.+?)\./.exec(eventType);
  return after === null ? eventType : `after ${after[1]}`;
}

function guardOf(guard) {
  if (typeof guard === 'string') return guard;
  if (typeof guard === 'function') {
    const name = guard.name;
    return name === '' || name === 'guard' ? 'if' : name;
  }
  const { type, params } = guard;
  return typeof params === 'string' ? `${type} ${params}` : type;
}
