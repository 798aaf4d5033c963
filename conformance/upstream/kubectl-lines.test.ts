/** Command lines of upstream's documentation topics, by the oldest kubectl that a node is tried with, its own and a newer one. */
import { suite } from 'node:test';
import { testLines } from '../../e2e/kubectl-lines/run-lines.ts';
import { buildKubectl } from '../e2e/build.ts';
import { newestKubectl } from '../peers/newest-kubectl.ts';
import { oldKubectl } from '../peers/old-kubectl.ts';

suite('kubectl 1.20', () => testLines(20, oldKubectl));
suite('kubectl 1.36', () => testLines(36, buildKubectl));
suite('kubectl 1.37', () => testLines(37, newestKubectl));
