import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import type { Skill } from '../../core/commands/command.js';
import type { HookMatcher, Hooks } from '../../extensions/hooks/hook-types.js';
import type { HookEvent } from '../../settings/schema/hook-events.js';
import type { HookCause } from './hook-cause.js';

/** The hooks of a session by their origin: settings and programs, agents, and skills once they were used. */
export interface HookSources {
  /** No hook can ever run. */
  isEmpty(): boolean;
  /** Whether there are hooks of the event now. */
  hasAny(event: HookEvent): boolean;
  /** Whether there are hooks of the event, or would be after the use of a skill. */
  mayHave(event: HookEvent): boolean;
  /** The groups of an event for an agent. */
  groupsOf(
    event: HookEvent,
    cause: Pick<HookCause, 'agentType' | 'isRoot'>,
  ): readonly HookMatcher[];
  /** Add the hooks of a skill for the rest of the session. */
  useSkill(skill: Pick<Skill, 'name' | 'hooks'>): void;
}

/** Settings that hooks come from; with `liveFiles` they may change. */
export type HookSettings = {
  readonly hooks: Hooks;
  readonly definitions: readonly AgentDefinition[];
  readonly skills?: readonly Skill[] | undefined;
  readonly liveFiles?: object | undefined;
};

export function createHookSources(settings: HookSettings): HookSources {
  const ofAgents = newest(
    () => settings.definitions,
    (definitions) =>
      new Map(
        definitions.flatMap(({ name, hooks: own }: AgentDefinition) =>
          own === undefined ? [] : [[name, own as Hooks] as const],
        ),
      ), // checked with the options
  );
  const ofSkills = newest(
    () => settings.skills,
    (skills = []) => skills.flatMap(({ hooks: own }) => (own === undefined ? [] : [own as Hooks])),
  );
  const used = new Map<string, Hooks>();
  const groupsIn = (from: Hooks | undefined, event: HookEvent): readonly HookMatcher[] =>
    (from?.[event] as readonly HookMatcher[] | undefined) ?? []; // the input is the one of the event

  const hasAny = (event: HookEvent): boolean =>
    settings.hooks[event] !== undefined ||
    [...used.values(), ...ofAgents().values()].some(
      (own) => own[event] !== undefined || (event === 'SubagentStop' && own.Stop !== undefined),
    );

  return {
    isEmpty() {
      return (
        Object.keys(settings.hooks).length + ofAgents().size + ofSkills().length + used.size === 0
      );
    },
    hasAny,
    mayHave: (event) =>
      settings.liveFiles !== undefined ||
      hasAny(event) ||
      ofSkills().some((own) => own[event] !== undefined),
    groupsOf(event, { agentType, isRoot }) {
      const own = ofAgents().get(agentType);
      return [
        ...groupsIn(settings.hooks, event),
        ...[...used.values()].flatMap((one) => groupsIn(one, event)),
        ...groupsIn(own, event),
        ...(event === 'SubagentStop' && !isRoot ? groupsIn(own, 'Stop') : []),
      ];
    },
    useSkill({ name, hooks: own }) {
      if (own !== undefined) used.set(name, own as Hooks);
    },
  };
}

/** @returns a function that makes its value again only if its source is another one */
function newest<Source, Value>(source: () => Source, make: (from: Source) => Value): () => Value {
  let from = source();
  let value = make(from);
  return () => {
    const now = source();
    if (now === from) return value;
    from = now;
    value = make(now);
    return value;
  };
}
