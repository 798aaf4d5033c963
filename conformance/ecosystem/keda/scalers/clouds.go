// Package scalers has what KEDA's other scalers take from that of Azure's queues.
// It is built where without-clouds.ts copies it to.
package scalers

const externalMetricType = "External"
