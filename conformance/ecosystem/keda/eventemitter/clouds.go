// Package eventemitter stands for KEDA's handler of Azure's events: there is none here.
// It is built where without-clouds.ts copies it to.
package eventemitter

import (
	"context"
	"errors"

	"github.com/go-logr/logr"
	eventingv1alpha1 "github.com/kedacore/keda/v2/apis/eventing/v1alpha1"
	kedav1alpha1 "github.com/kedacore/keda/v2/apis/keda/v1alpha1"
	"github.com/kedacore/keda/v2/pkg/eventemitter/eventdata"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type AzureEventGridTopicHandler struct{}

func NewAzureEventGridTopicHandler(context.Context, string, *eventingv1alpha1.AzureEventGridTopicSpec, map[string]string, kedav1alpha1.AuthPodIdentity, logr.Logger) (*AzureEventGridTopicHandler, error) {
	return nil, errors.New("built without clouds")
}

func (*AzureEventGridTopicHandler) CloseHandler() {}

func (*AzureEventGridTopicHandler) SetActiveStatus(metav1.ConditionStatus) {}

func (*AzureEventGridTopicHandler) GetActiveStatus() metav1.ConditionStatus {
	return metav1.ConditionFalse
}

func (*AzureEventGridTopicHandler) EmitEvent(eventdata.EventData, func(eventdata.EventData, error)) {}
