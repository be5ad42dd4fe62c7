import type {
  ScopedRules,
  ToolPermissionContext,
  ToolPermissionRulesBySource,
} from '../../core/permission-types.js';
import { deriveChildContext, stricterMode } from '../../permissions/modes/modes.js';
import type { PermissionView } from './parts/caller.js';
import type { PermissionState } from '../services/permission-state.js';
import type { NewAgent } from './new-agent.js';

/**
 * The agent's present rules: its parent's, or the session's, with a mode that is as strict or stricter. An approved
 * plan ends the mode that the start requested, and allows nothing else.
 */
export function createPermissionView(
  { definition, parent, permissionMode, rules, onlyAllowed }: NewAgent,
  session: PermissionState,
  {
    isPlanApproved,
    skillRules,
    notesRules,
    teamRules,
  }: {
    readonly isPlanApproved: () => boolean;
    /** Rules of the skills that the agent uses now. */
    readonly skillRules: () => ScopedRules | undefined;
    /** Rules for the agent's own notes. */
    readonly notesRules?: ScopedRules | undefined;
    /** Rules for the notes of teams, while the agent is in one: always the same object. */
    readonly teamRules: () => ScopedRules | undefined;
  },
): PermissionView {
  const denied = definition.disallowedTools;
  let base: ToolPermissionContext | undefined;
  let derived: ToolPermissionContext | undefined;
  let derivedSkills: ScopedRules | undefined;
  let derivedTeam: ScopedRules | undefined;
  let derivedMode: ToolPermissionContext['mode'] | undefined;
  const permissionContext = (): ToolPermissionContext => {
    const newest = parent?.parts.permissionContext() ?? session.get();
    const asked = permissionMode === 'plan' && isPlanApproved() ? undefined : permissionMode;
    const mode = asked ?? definition.permissionMode;
    const ofSkills = skillRules();
    const ofTeam = teamRules();
    const isSame = newest === base && mode === derivedMode && ofSkills === derivedSkills;
    if (isSame && ofTeam === derivedTeam && derived !== undefined) return derived;
    base = newest;
    derivedSkills = ofSkills;
    derivedTeam = ofTeam;
    derivedMode = mode;
    derived = mode === undefined ? newest : deriveChildContext(newest, { mode });
    if (definition.awaitsAutomatedChecks === true)
      derived = { ...derived, awaitAutomatedChecksBeforeDialog: true };
    if (denied !== undefined) derived = withDenied(derived, denied);
    if (onlyAllowed !== undefined) derived = withOnly(derived, onlyAllowed);
    if (rules !== undefined) derived = withRules(derived, rulesFor(derived, rules));
    if (notesRules !== undefined) derived = withRules(derived, notesRules);
    if (ofTeam !== undefined) derived = withRules(derived, ofTeam);
    if (ofSkills !== undefined) derived = withRules(derived, rulesFor(derived, ofSkills));
    return derived;
  };
  return {
    permissionContext,
    judgingContext() {
      const own = permissionContext();
      return own.mode === 'bubble' ? (parent?.parts.judgingContext() ?? session.get()) : own;
    },
  };
}

/** Only these rules allow: without one, a call that needs approval is denied. */
function withOnly(
  context: ToolPermissionContext,
  allowed: readonly string[],
): ToolPermissionContext {
  return {
    ...context,
    mode: stricterMode(context.mode, 'dontAsk'),
    alwaysAllowRules: { command: [...allowed] },
    additionalWorkingDirectories: {},
  };
}

/** Rules of files and programs, as far as managed settings let them have an effect. */
function rulesFor(
  { allowsManagedRulesOnly = false }: ToolPermissionContext,
  { allow, ...others }: ScopedRules,
): ScopedRules {
  return allowsManagedRulesOnly || allow === undefined ? others : { ...others, allow };
}

/** Tools that a definition denies are denied at every depth below it. */
function withDenied(
  context: ToolPermissionContext,
  denied: readonly string[],
): ToolPermissionContext {
  const { alwaysDenyRules } = context;
  const session = [...(alwaysDenyRules.session ?? []), ...denied];
  return { ...context, alwaysDenyRules: { ...alwaysDenyRules, session } };
}

/**
 * Apply the agent's own rules, also below it. Only a parent that may grant them itself may start it with rules that
 * allow.
 */
export function withRules(
  context: ToolPermissionContext,
  { allow = [], deny = [], ask = [] }: ScopedRules,
): ToolPermissionContext {
  const added = (rules: ToolPermissionRulesBySource, more: readonly string[]) =>
    more.length === 0 ? rules : { ...rules, command: [...(rules.command ?? []), ...more] };
  return {
    ...context,
    alwaysAllowRules: added(context.alwaysAllowRules, allow),
    alwaysDenyRules: added(context.alwaysDenyRules, deny),
    alwaysAskRules: added(context.alwaysAskRules, ask),
  };
}
