import { describe, expect, it } from 'vitest';
import {
  getEmptyToolPermissionContext,
  type ToolPermissionContext,
} from '../../../src/core/permission-types.js';
import { applyPermissionUpdate } from '../../../src/permissions/modes/apply-update.js';
import { EnterPlanModeTool } from '../../../src/tools/dialogue/enter-plan-mode.js';
import { ExitPlanModeTool } from '../../../src/tools/dialogue/exit-plan-mode.js';
import type { ToolUseContext } from '../../../src/tools/tool.js';
import { runText } from '../files/workspace.js';
import { createContext } from '../../support/tool-context.js';

/** A session in a mode, and what its own agent's tools get; a sub-agent's cannot change the mode. */
function createSession(parts: Partial<ToolPermissionContext>, { isSubAgent = false } = {}) {
  let permissions: ToolPermissionContext = { ...getEmptyToolPermissionContext(), ...parts };
  const context: ToolUseContext = createContext('/w', {
    permissions: {
      current: () => permissions,
      ...(!isSubAgent && {
        update: (update) => (permissions = applyPermissionUpdate(permissions, update)),
      }),
    },
  });
  return { context, mode: () => permissions.mode, before: () => permissions.prePlanMode };
}

describe('EnterPlanMode', () => {
  it('sets the mode, and remembers the one before', async () => {
    const { context, mode, before } = createSession({ mode: 'acceptEdits' });
    expect(await runText(EnterPlanModeTool, {}, context)).toContain('in plan mode');
    expect([mode(), before()]).toEqual(['plan', 'acceptEdits']);
  });

  it.each([
    [{ mode: 'plan' }, {}, 'EnterPlanMode: the session is in plan mode already.'],
    [{ mode: 'dontAsk' }, {}, 'no approver is connected'],
    [{ shouldAvoidPermissionPrompts: true }, {}, 'no approver is connected'],
    [{}, { isSubAgent: true }, 'only the main agent'],
  ] as const)('refuses with %j %j', async (parts, who, message) => {
    const { context } = createSession(parts, who);
    const refused = { result: false, message: expect.stringContaining(message) };
    expect(await EnterPlanModeTool.validateInput?.({}, context)).toEqual(refused);
    await expect(runText(EnterPlanModeTool, {}, context)).rejects.toThrow(message);
  });
});

describe('ExitPlanMode', () => {
  it.each([
    [{ mode: 'plan' }, 'default'],
    [{ mode: 'plan', prePlanMode: 'acceptEdits' }, 'acceptEdits'],
    [
      { mode: 'plan', prePlanMode: 'bypassPermissions', isBypassPermissionsModeAvailable: true },
      'bypassPermissions',
    ],
    [{ mode: 'acceptEdits' }, 'acceptEdits'], // the answer has set it
  ] as const)('goes from %j to %s, and tells the plan as approved', async (parts, expected) => {
    const { context, mode } = createSession(parts);
    const text = await runText(ExitPlanModeTool, { plan: '1. Do it.' }, context);
    expect(text).toContain(`the mode is ${expected}`);
    expect(text).toContain('The plan as approved:\n1. Do it.');
    expect(mode()).toBe(expected);
  });

  it.each([
    [{ mode: 'default' }, {}, 'the session is not in plan mode, its mode is default'],
    [{ mode: 'plan' }, { isSubAgent: true }, 'only the main agent'],
  ] as const)('is refused before anybody is asked with %j %j', async (parts, who, message) => {
    const { context } = createSession(parts, who);
    expect(await ExitPlanModeTool.validateInput?.({ plan: 'x' }, context)).toEqual({
      result: false,
      message: expect.stringContaining(message),
    });
  });

  it.each([
    [undefined, ['acceptEdits']],
    ['default', ['acceptEdits']],
    ['bypassPermissions', []],
  ] as const)('offers to accept edits too if the mode before was %s', async (before, modes) => {
    const { context } = createSession({ mode: 'plan', ...(before && { prePlanMode: before }) });
    const check = await ExitPlanModeTool.checkPermissions({ plan: 'x' }, context);
    const suggestions = check.behavior === 'ask' ? check.suggestions : undefined;
    expect(suggestions?.map((one) => ('mode' in one ? one.mode : one.type))).toEqual(modes);
  });

  it('refuses a plan that is empty', async () => {
    const { context } = createSession({ mode: 'plan' });
    await expect(runText(ExitPlanModeTool, { plan: ' \n' }, context)).rejects.toThrow(
      'ExitPlanMode: plan: the plan is empty',
    );
  });
});
