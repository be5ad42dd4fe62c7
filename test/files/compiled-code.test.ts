import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { compiledCodeFolder, keepCompiledCode } from '../../src/files/compiled-code.js';
import { isProtectedPath } from '../../src/permissions/paths/protected.js';
import { secretPaths } from '../../src/processes/sandbox/secret-paths.js';
import { createFolder } from '../support/troupe.js';

const enableCompileCache = vi.fn<(folder: string) => void>();

let folder: string;

beforeEach(async () => {
  folder = await createFolder();
  vi.stubEnv('TMPDIR', folder);
  vi.stubEnv('NODE_V8_COVERAGE', '');
  vi.stubEnv('NODE_COMPILE_CACHE', '');
  vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', '');
});

afterEach(() => {
  vi.unstubAllEnvs();
  enableCompileCache.mockReset();
});

describe('compiled code', () => {
  it('is kept in a folder of this user for temporary files', () => {
    keepCompiledCode({ enableCompileCache });
    expect(enableCompileCache.mock.calls).toEqual([[join(compiledCodeFolder(), '.troupe')]]);
    expect(compiledCodeFolder()).toBe(join(folder, `troupe-${process.getuid?.() ?? 'code'}`));
  });

  it('is not kept by a Node that cannot', () => {
    keepCompiledCode({});
    expect(existsSync(compiledCodeFolder())).toBe(false);
  });

  it.each(['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE'])(
    'is left to Node if %s is set',
    (name) => {
      vi.stubEnv(name, '1');
      keepCompiledCode({ enableCompileCache });
      expect(enableCompileCache).not.toHaveBeenCalled();
    },
  );

  it('is kept in the same folder again, which no other user can enter', () => {
    keepCompiledCode({ enableCompileCache });
    keepCompiledCode({ enableCompileCache });
    expect(enableCompileCache).toHaveBeenCalledTimes(2);
    expect(statSync(compiledCodeFolder()).mode & 0o777).toBe(0o700);
  });

  it.each<[string, (place: string) => void]>([
    ['a folder that others can enter', (place) => (mkdirSync(place), chmodSync(place, 0o755))],
    [
      'a link to a folder',
      (place) => (mkdirSync(`${place}-own`, 0o700), symlinkSync(`${place}-own`, place)),
    ],
    ['a file', (place) => writeFileSync(place, '', { mode: 0o600 })],
    ['missing, like the folder around it', () => vi.stubEnv('TMPDIR', join(folder, 'missing'))],
  ])('is not kept if the folder is %s', (_, prepare) => {
    prepare(compiledCodeFolder());
    keepCompiledCode({ enableCompileCache });
    expect(enableCompileCache).not.toHaveBeenCalled();
  });

  it('is written by agents only with approval, and never by commands in a sandbox', () => {
    const file = join(compiledCodeFolder(), '.troupe/v24/0a1b2c3d');
    expect(isProtectedPath(file, [folder], {})).toBe(true);
    expect(secretPaths({})).toContain(compiledCodeFolder());
  });
});
