package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "example.com", Version: "v1"}

// Shop is the custom resource that the operator keeps: one config map of its own for each.
type Shop struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ShopSpec   `json:"spec,omitempty"`
	Status            ShopStatus `json:"status,omitempty"`
}

// ShopSpec is what its user wants.
type ShopSpec struct {
	Sells string `json:"sells,omitempty"`
}

// ShopStatus is what the operator found.
type ShopStatus struct {
	// Others is how many shops sell the same, this one included, by the cache's index.
	Others int `json:"others,omitempty"`
}

// ShopList is several of them.
type ShopList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Shop `json:"items"`
}

// DeepCopyObject copies it.
func (s *Shop) DeepCopyObject() runtime.Object {
	copied := *s
	s.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	return &copied
}

// DeepCopyObject copies it.
func (l *ShopList) DeepCopyObject() runtime.Object {
	copied := *l
	l.ListMeta.DeepCopyInto(&copied.ListMeta)
	copied.Items = make([]Shop, len(l.Items))
	for i := range l.Items {
		copied.Items[i] = *l.Items[i].DeepCopyObject().(*Shop)
	}
	return &copied
}

func addToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(groupVersion, &Shop{}, &ShopList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	return nil
}
