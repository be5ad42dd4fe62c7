import { describe, expect, it } from 'vitest';
import { shellEnvironment } from '../../../src/processes/start/shell-environment.js';

const shell = { mark: 'mark', cwd: '/project' };

describe('shellEnvironment', () => {
  it('lets git use no bare repository that it merely comes across', () => {
    expect(shellEnvironment({}, shell)).toEqual({
      TROUPE_MARK: 'mark',
      PWD: '/project',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.bareRepository',
      GIT_CONFIG_VALUE_0: 'explicit',
    });
  });

  it("keeps the user's configuration of git, and comes after it", () => {
    const env = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.bareRepository',
      GIT_CONFIG_VALUE_0: 'all',
    };
    const once = shellEnvironment(env, shell);
    expect(once).toEqual({
      ...env,
      TROUPE_MARK: 'mark',
      PWD: '/project',
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_1: 'safe.bareRepository',
      GIT_CONFIG_VALUE_1: 'explicit',
    });
    const nested = shellEnvironment(once, shell);
    expect(nested['GIT_CONFIG_COUNT']).toBe('2'); // a shell within a shell adds it once
  });

  it('leaves a count alone that git itself refuses', () => {
    const { GIT_CONFIG_COUNT } = shellEnvironment({ GIT_CONFIG_COUNT: 'many' }, shell);
    expect(GIT_CONFIG_COUNT).toBe('many');
  });
});
