import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricsRegistry } from '@wherry/telemetry';
import { plugInGauge } from './plug-in-gauge.ts';

test('sockets of plug-ins are told of while they are there, and once more when what is behind is registered', () => {
  const metrics = new MetricsRegistry();
  const watched = {
    sockets: [
      { path: '/a.sock', isRegistered: true },
      { path: '/b.sock', isRegistered: false },
    ],
  };
  plugInGauge(metrics, watched);
  const told = () => metrics.render().match(/(?<=^plugin_manager_total_plugins).*$/gm);
  assert.deepEqual(told(), [
    '{socket_path="/a.sock",state="desired_state_of_world"} 1',
    '{socket_path="/a.sock",state="actual_state_of_world"} 1',
    '{socket_path="/b.sock",state="desired_state_of_world"} 1',
  ]);
  watched.sockets = [];
  assert.equal(told(), null);
});
