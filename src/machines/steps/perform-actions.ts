import { assign, cancel, emit, raise, sendParent, sendTo, spawnChild, stopChild } from 'xstate';
import type { AnyActorScope, AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from 'xstate';

/** The result of the steps of an actor so far, after one event from outside. */
export type Draft = {
  readonly scope: AnyActorScope;
  event: AnyEventObject;
  /** Events that the actor has sent itself. They come before all others. */
  readonly raised: AnyEventObject[];
  context: AnyMachineSnapshot['context'];
  children: AnyMachineSnapshot['children'];
  isChanged: boolean;
};

export interface Performer {
  perform(draft: Draft, actions: readonly unknown[]): void;
  passes(guard: unknown, facts: Facts): boolean;
}

/** An action of a machine: a name, a name with parameters, or a function, which may be one of xstate's own. */
type Action = string | Named | Custom | BuiltIn;
type Named = { readonly type: string; readonly params?: unknown };
type Custom = (info: Info, params: unknown) => void;
type Guard = (facts: Facts, params: unknown) => boolean;
export type Facts = { readonly context: Draft['context']; readonly event: AnyEventObject };
type Info = Facts & { readonly self: unknown; readonly system: unknown };

/** An action of xstate, with its data on the function. */
type BuiltIn = Custom & {
  readonly type: string;
  /** Data of `assign`. */
  readonly assignment?: unknown;
  /** Data of `enqueueActions`. */
  readonly collect?: Collect;
  readonly resolve: (
    scope: AnyActorScope,
    view: View,
    info: Info,
    params: unknown,
    self: BuiltIn,
    extra: { readonly internalQueue: AnyEventObject[] },
  ) => readonly [view: View, params: unknown];
  readonly execute?: (scope: AnyActorScope, params: unknown) => void;
};
type Collect = (parts: object, params: unknown) => void;

/** The part of a snapshot that such an action reads, without nodes, so that a copy is cheap. */
type View = {
  readonly machine: AnyStateMachine;
  readonly context: Draft['context'];
  readonly children: Draft['children'];
  readonly _nodes: readonly [];
};

/**
 * Perform the actions of a machine and evaluate its guards as xstate does. Two features are missing: `assign` cannot
 * spawn, and an entry action cannot send to an actor that its state invokes.
 */
export function createPerformer(machine: AnyStateMachine): Performer {
  const actionsByName = machine.implementations.actions as Readonly<
    Record<string, Custom | BuiltIn>
  >;
  const guardsByName = machine.implementations.guards as Readonly<Record<string, Guard>>;
  const collected = createCollector();

  const passes: Performer['passes'] = (guard, facts) => {
    if (guard === undefined) return true;
    if (typeof guard === 'function') return (guard as Guard)(facts, undefined);
    const type = nameOf(guard as string | Named);
    const asked = guardsByName[type];
    if (typeof asked !== 'function' || 'check' in asked)
      throw new Error(`The guard ${type} of the machine ${machine.id} is not a function.`);
    return asked(facts, paramsOf(guard as string | Named, facts));
  };

  const performOne = (draft: Draft, action: Action): void => {
    const { scope, event, context } = draft;
    const type = nameOf(action);
    const known = typeof action === 'function' ? action : actionsByName[type];
    const info = { context, event, self: scope.self, system: scope.system };
    const params = paramsOf(action, info);
    if (known === undefined || !isBuiltIn(known))
      return scope.actionExecutor({ type, info, params, exec: known } as never);
    if (known.assignment !== undefined) {
      draft.context = { ...context, ...changeOf(known.assignment, info, params) };
      draft.isChanged = true;
      return undefined;
    }
    if (known.collect !== undefined) {
      const check = (guard: unknown): boolean => passes(guard, info);
      return perform(draft, collected(known.collect, { ...info, check }, params));
    }
    const view: View = { machine, context, children: draft.children, _nodes: [] };
    const [next, resolved] = known.resolve(scope, view, info, params, known, {
      internalQueue: draft.raised,
    });
    if (next !== view) {
      draft.children = next.children;
      draft.isChanged = true;
    }
    const { execute } = known;
    if (execute !== undefined)
      scope.actionExecutor({
        type: known.type,
        info,
        params: resolved,
        exec: () => execute(scope, resolved),
      } as never);
  };

  const perform: Performer['perform'] = (draft, actions) => {
    for (const action of actions) performOne(draft, action as Action);
  };

  return { perform, passes };
}

function isBuiltIn(action: Custom | BuiltIn): action is BuiltIn {
  return 'resolve' in action;
}

function nameOf(given: Action): string {
  if (typeof given === 'string') return given;
  return typeof given === 'function' ? given.name || '(anonymous)' : given.type;
}

function paramsOf(given: Action, facts: Facts): unknown {
  if (typeof given !== 'object') return undefined;
  const { params } = given;
  return typeof params === 'function' ? params(facts) : params;
}

function changeOf(assignment: unknown, info: Info, params: unknown): object {
  if (typeof assignment === 'function') return assignment(info, params);
  const change: Record<string, unknown> = {};
  for (const key in assignment as object) {
    const value = (assignment as Record<string, unknown>)[key];
    change[key] = typeof value === 'function' ? value(info, params) : value;
  }
  return change;
}

/** The object that a function given to `enqueueActions` gets. */
function createCollector(): (
  collect: Collect,
  parts: object,
  params: unknown,
) => readonly unknown[] {
  let actions: unknown[] = [];
  const add = (action: unknown): void => void actions.push(action);
  const enqueue = Object.assign(add, {
    assign: made(add, assign),
    cancel: made(add, cancel),
    raise: made(add, raise),
    sendTo: made(add, sendTo),
    sendParent: made(add, sendParent),
    spawnChild: made(add, spawnChild),
    stopChild: made(add, stopChild),
    emit: made(add, emit),
  });
  return (collect, parts, params) => {
    actions = [];
    collect({ ...parts, enqueue }, params);
    return actions;
  };
}

function made(add: (action: unknown) => void, make: (...args: never) => unknown) {
  const maker = make as (...args: readonly unknown[]) => unknown; // called as by xstate's own `enqueue`
  return (...args: readonly unknown[]): void => add(maker(...args));
}
