import { describe, expect, it } from 'vitest';
import { createAppStateStore } from '../../../src/actors/services/app-state-store.js';
import { createPermissionState } from '../../../src/actors/services/permission-state.js';
import type { PermissionUpdate } from '../../../src/core/permission-types.js';
import { ASK_FIRST, createTroupe } from '../../support/troupe.js';

const plan: PermissionUpdate = { type: 'setMode', mode: 'plan', destination: 'session' };
const bypass: PermissionUpdate = { ...plan, mode: 'bypassPermissions' };
const denyBash: PermissionUpdate = {
  type: 'addRules',
  behavior: 'deny',
  rules: [{ toolName: 'Bash' }],
  destination: 'session',
};

function createState() {
  const store = createAppStateStore({
    toolPermissionContext: ASK_FIRST,
    mainLoopModel: '',
    verbose: false,
    tasks: {},
    todos: {},
    agentNameRegistry: {},
  });
  return { store, permissions: createPermissionState(store) };
}

describe('the permission state of a session', () => {
  it('applies updates in their order and reports them as one change', () => {
    const { permissions } = createState();
    const seen: unknown[] = [];
    const end = permissions.subscribe((now, before) => seen.push([before.mode, now.mode]));
    permissions.apply([plan, denyBash]);
    expect(permissions.get()).toEqual({
      ...ASK_FIRST,
      mode: 'plan',
      prePlanMode: 'default',
      alwaysDenyRules: { session: ['Bash'] },
    });
    end();
    permissions.apply([{ ...plan, mode: 'default' }]);
    expect(seen).toEqual([['default', 'plan']]);
  });

  it('changes nothing if one update is refused', () => {
    const { permissions } = createState();
    expect(() => permissions.check([denyBash, bypass])).toThrow('is not available');
    expect(() => permissions.apply([denyBash, bypass])).toThrow('is not available');
    expect(permissions.get()).toBe(ASK_FIRST);
  });

  it('reports no change of anything else', () => {
    const { store, permissions } = createState();
    permissions.subscribe(() => expect.unreachable());
    store.setState((state) => ({ ...state, todos: { a: [] } }));
    permissions.apply([{ ...plan, mode: 'default' }]);
    expect(store.getState().todos).toEqual({ a: [] });
  });
});

describe('session.updatePermissions', () => {
  it('changes nothing if one of its updates is refused', async () => {
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }), { permissions: ASK_FIRST });
    const session = troupe.session();
    expect(() => session.updatePermissions([plan, bypass])).toThrow('is not available');
    await session.prompt('Go.');
    const iterator = session[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toMatchObject({
      subtype: 'init',
      permissionMode: 'default',
    });
  });
});
