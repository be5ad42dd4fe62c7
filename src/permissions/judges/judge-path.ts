import type { PermissionRule, ToolPermissionContext } from '../../core/permission-types.js';
import { compiledRules } from '../rules/compiled-rules.js';
import { spellingsOf, type PathFact, type Place } from '../paths/path-fact.js';
import { isProjectConfiguration, isProtectedPath } from '../paths/protected.js';
import { isInWorkspace, workspaceRoots } from '../paths/workspace.js';
import { findPathRule } from '../matching/rule-match.js';
import { suggestRead, suggestWrite } from './suggestions.js';
import type { Verdict } from './verdict.js';

/**
 * Judge one path that no rule denied: first the safety check, then rules, then the workspace and the mode.
 *
 * @param toolRule a rule that allows the tool as a whole.
 */
export function judgePath(
  path: PathFact,
  place: Place,
  context: ToolPermissionContext,
  toolRule?: PermissionRule,
): Verdict {
  const { lexical, resolved, access } = path;
  const use = access === 'read' ? 'reading' : 'changing';
  if (resolved === undefined) {
    const message = `Nobody can tell where ${lexical} leads.`;
    const reason = 'the path cannot be resolved';
    return {
      behavior: 'ask',
      message,
      reason: { type: 'safetyCheck', reason, classifierApprovable: false },
      blockedPath: lexical,
    };
  }
  const guarded = askForGuarded(path, place, context);
  if (guarded !== undefined) return guarded;
  const roots = workspaceRoots(context, place);
  const rule = toolRule ?? findPathRule(compiledRules(context).allow, path, place);
  if (rule !== undefined && (access === 'read' || context.mode !== 'plan')) {
    return { behavior: 'allow', reason: { type: 'rule', rule } };
  }
  const isInside = isInWorkspace(path, roots);
  if (access === 'read' && isOwnOutput(path, place)) {
    return { behavior: 'allow', reason: { type: 'workingDir', reason: 'output of the session' } };
  }
  if (isInside && access === 'read') {
    return { behavior: 'allow', reason: { type: 'workingDir', reason: 'inside the workspace' } };
  }
  if (isInside && context.mode === 'acceptEdits') {
    return { behavior: 'allow', reason: { type: 'mode', mode: 'acceptEdits' } };
  }
  const leads = resolved === lexical ? '' : ` (it leads to ${resolved})`;
  return {
    behavior: 'ask',
    message: `No rule allows ${use} ${lexical}${leads}${isInside ? '' : ', which is outside the workspace'}.`,
    reason: isInside
      ? { type: 'mode', mode: context.mode }
      : { type: 'workingDir', reason: `${lexical}${leads} is outside the workspace` },
    suggestions:
      access === 'read'
        ? suggestRead(lexical, path.isTree === true, place.home)
        : suggestWrite(lexical, isInside),
    blockedPath: lexical,
  };
}

function isOwnOutput(path: PathFact, place: Place): boolean {
  const { outputFolder } = place;
  return outputFolder !== undefined && isInWorkspace(path, spellingsOf(outputFolder, place));
}

/**
 * The ask for a change of a protected file, or of a file that may be a protected file under another name. Undefined for
 * any other path.
 */
export function askForGuarded(
  path: PathFact,
  place: Place,
  context: ToolPermissionContext,
): Verdict | undefined {
  return askForProtected(path, place, context) ?? askForOtherNames(path);
}

function askForOtherNames({ lexical, hasOtherNames }: PathFact): Verdict | undefined {
  if (hasOtherNames !== true) return undefined;
  const reason = `${lexical} has other names (hard links), which may be protected`;
  return {
    behavior: 'ask',
    message: `It wants to overwrite ${lexical}, a file with other names (hard links): one of them may be a protected file.`,
    reason: { type: 'safetyCheck', reason, classifierApprovable: false },
    blockedPath: lexical,
  };
}

function askForProtected(
  { lexical, resolved = lexical, access }: PathFact,
  place: Place,
  context: ToolPermissionContext,
): Verdict | undefined {
  if (access !== 'write') return undefined;
  const roots = workspaceRoots(context, place);
  const isProtected = (spelling: string): boolean => isProtectedPath(spelling, roots, place);
  if (!isProtected(lexical) && !isProtected(resolved)) return undefined;
  const classifierApprovable = [lexical, resolved].every((spelling) =>
    isProjectConfiguration(spelling, roots, place),
  );
  return {
    behavior: 'ask',
    message: `${lexical} is a protected file: other programs run or trust what it says.`,
    reason: { type: 'safetyCheck', reason: `${lexical} is protected`, classifierApprovable },
    blockedPath: lexical,
  };
}
