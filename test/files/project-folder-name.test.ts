import { expect, it } from 'vitest';
import { projectFolderName } from '../../src/files/project-folder-name.js';

it('a project has the folder name that Claude Code gives it', () => {
  expect(['/work/My app.js', `/${'long/'.repeat(60)}`].map(projectFolderName)).toEqual([
    '-work-My-app-js',
    `-${'long-'.repeat(60).slice(0, 199)}-du969b`,
  ]);
});
