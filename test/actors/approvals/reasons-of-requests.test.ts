import { describe, expect, it } from 'vitest';
import { PermissionRequest } from '../../../src/core/events.js';
import type { CanUseToolOptions } from '../../../src/actors/options/can-use-tool.js';
import { playParts } from '../../support/scripts.js';
import { createTroupe } from '../../support/troupe.js';

describe('a permission request', () => {
  it('names the path because of which it asks, and the rule', async () => {
    const seen: PermissionRequest[] = [];
    const given: CanUseToolOptions[] = [];
    const script = playParts({
      main: [
        { tools: [{ name: 'Read', input: { file_path: '/etc/hostname' } }] },
        { tools: [{ name: 'Bash', input: { command: 'make all' } }] },
        { text: 'Done.' },
      ],
    });
    const { troupe } = await createTroupe(script, {
      permissions: { ask: ['Bash(make *)'] },
      canUseTool: (_name, _input, options) => {
        given.push(options);
        return Promise.resolve({ behavior: 'deny', message: 'No.' });
      },
    });
    troupe.approvals.onRequest((request) => {
      seen.push(PermissionRequest.parse(JSON.parse(JSON.stringify(request))));
      return Promise.resolve(undefined);
    });
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(seen.map(({ blockedPath, path: [hop] }) => [blockedPath, hop?.rule])).toEqual([
      ['/etc/hostname', undefined],
      [undefined, 'Bash(make *)'],
    ]);
    expect(given.map(({ blockedPath }) => blockedPath)).toEqual(['/etc/hostname', undefined]);
  });
});
