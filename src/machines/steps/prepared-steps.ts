import { stopChild } from 'xstate';
import type {
  AnyActorLogic,
  AnyActorRef,
  AnyActorScope,
  AnyEventObject,
  AnyMachineSnapshot,
  AnyStateMachine,
  AnyStateNode,
  AnyTransitionDefinition,
} from 'xstate';
import { createConfigurations, type Configuration, type Step } from './configurations.js';
import { createPerformer, type Draft, type Performer } from './perform-actions.js';

/**
 * Logic for actors of the machine, with the same steps and the same effects in the same order. The states that a step
 * exits and enters are looked up; xstate computes them at each event. An action makes no intermediate snapshot.
 *
 * @throws Error for a machine with states that the steps do not support
 */
export function withPreparedSteps(machine: AnyStateMachine): AnyActorLogic {
  const { transition: byXstate, getPersistedSnapshot, restoreSnapshot, start } = machine; // bound to the machine
  const configurations = createConfigurations(machine);
  const performer = createPerformer(machine);
  const { first } = configurations;
  const blank = machine.resolveState({ value: first.next.value, context: {} });

  const getInitialSnapshot = (scope: AnyActorScope, input: unknown): AnyMachineSnapshot => {
    const event = { type: 'xstate.init', input };
    try {
      const context = firstContext(machine, scope, input);
      const draft: Draft = { scope, event, raised: [], context, children: {}, isChanged: true };
      return settle(performer, enterNext(performer, { snapshot: blank }, first, draft), draft);
    } catch (error) {
      return { ...blank, status: 'error', error } as AnyMachineSnapshot;
    }
  };

  const transition = (
    snapshot: AnyMachineSnapshot,
    event: AnyEventObject,
    scope: AnyActorScope,
  ): AnyMachineSnapshot => {
    const { _nodes: nodes, context, children } = snapshot;
    const configuration = configurations.of(nodes);
    const taken = pick(performer, configuration.on(event.type), context, event);
    const isUnheard = taken === undefined && event.type.startsWith('xstate.error.actor');
    if (isUnheard || event.type === 'xstate.stop') return byXstate(snapshot, event, scope);
    const draft: Draft = { scope, event, raised: [], context, children, isChanged: false };
    const stepped = takeStep(performer, { snapshot, configuration }, taken, draft);
    return settle(performer, stepped, draft);
  };

  return { transition, getInitialSnapshot, getPersistedSnapshot, restoreSnapshot, start };
}

function firstContext({ config }: AnyStateMachine, { self }: AnyActorScope, input: unknown) {
  const { context = {} } = config;
  return typeof context === 'function' ? context({ input, self, spawn: noSpawn }) : context;
}

function noSpawn(): never {
  throw new Error(
    'The context cannot spawn an actor here. Invoke it in a state, or spawn it with an action.',
  );
}

type Place = { readonly snapshot: AnyMachineSnapshot; readonly configuration: Configuration };
/** Before the first states are entered. */
type FirstPlace = { readonly snapshot: AnyMachineSnapshot; readonly configuration?: never };

/** Take steps until no further step is possible without an event from outside. */
function settle(performer: Performer, start: Place, draft: Draft): AnyMachineSnapshot {
  let place = start;
  let mayGoOn = true;
  while (place.snapshot.status === 'active') {
    const { always, on }: Configuration = place.configuration;
    const free: AnyTransitionDefinition | undefined = mayGoOn
      ? pick(performer, always, draft.context, draft.event)
      : undefined;
    const raised = free === undefined ? draft.raised.shift() : undefined;
    if (free === undefined && raised === undefined) break;
    if (raised !== undefined) draft.event = raised;
    const next = free ?? pick(performer, on(draft.event.type), draft.context, draft.event);
    const stepped = takeStep(performer, place, next, draft);
    mayGoOn = free === undefined || stepped.snapshot !== place.snapshot; // otherwise the step would repeat for ever
    place = stepped;
  }
  if (place.snapshot.status !== 'active')
    performer.perform(
      draft,
      (Object.values(draft.children) as AnyActorRef[]).map((child) => stopChild(child)),
    );
  return place.snapshot;
}

function takeStep(
  performer: Performer,
  place: Place,
  transition: AnyTransitionDefinition | undefined,
  draft: Draft,
): Place {
  const stepped =
    transition === undefined
      ? place
      : enterNext(performer, place, place.configuration.step(transition), draft);
  const { system, self } = draft.scope;
  const { _sendInspectionEvent: tell } = system as unknown as Inspected;
  tell({
    type: '@xstate.microstep',
    actorRef: self,
    event: draft.event,
    snapshot: stepped.snapshot,
    _transitions: transition === undefined ? [] : [transition],
  });
  return stepped;
}

/** A method that xstate's own steps call for inspection; it is missing in xstate's types. */
type Inspected = { _sendInspectionEvent(event: object): void };

function enterNext(
  performer: Performer,
  { snapshot, configuration }: Place | FirstPlace,
  { actions, end, next }: Step,
  draft: Draft,
): Place {
  draft.isChanged = false;
  performer.perform(draft, actions);
  if (end === undefined && !draft.isChanged && next === configuration)
    return { snapshot, configuration };
  const output = end === undefined ? undefined : outputOf(end, draft);
  if (end !== undefined)
    performer.perform(
      draft,
      next.nodes.toReversed().flatMap(({ exit }) => exit),
    );
  const { context, children } = draft;
  const { machine, historyValue, matches, hasTag, can, getMeta, toJSON } = snapshot;
  const status = end === undefined ? 'active' : 'done';
  return {
    configuration: next,
    snapshot: {
      status,
      output,
      error: undefined,
      machine,
      context,
      _nodes: next.nodes,
      value: next.value,
      tags: next.tags,
      children,
      historyValue,
      matches,
      hasTag,
      can,
      getMeta,
      toJSON,
    } as AnyMachineSnapshot,
  };
}

function outputOf(end: AnyStateNode, { context, event, scope }: Draft): unknown {
  const of = (mapper: unknown, cause: AnyEventObject): unknown =>
    typeof mapper === 'function' ? mapper({ context, event: cause, self: scope.self }) : mapper;
  const { root } = end.machine;
  return of(root.output, { type: `xstate.done.state.${end.id}`, output: of(end.output, event) });
}

function pick(
  performer: Performer,
  candidates: readonly AnyTransitionDefinition[],
  context: AnyMachineSnapshot['context'],
  event: AnyEventObject,
): AnyTransitionDefinition | undefined {
  if (candidates.length === 0) return undefined;
  const facts = { context, event };
  for (const candidate of candidates)
    if (performer.passes(candidate.guard, facts)) return candidate;
  return undefined;
}
