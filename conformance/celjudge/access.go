package main

import (
	"strings"

	"github.com/google/cel-go/common/types/ref"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	rbacvalidation "k8s.io/kubernetes/pkg/registry/rbac/validation"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"

	"github.com/google/cel-go/cel"
)

// access is who asks, what for, and what roles there are.
type access struct {
	User                string                       `json:"user"`
	Groups              []string                     `json:"groups"`
	Group               string                       `json:"group"`
	Resource            string                       `json:"resource"`
	Subresource         string                       `json:"subresource"`
	Namespace           string                       `json:"namespace"`
	Name                string                       `json:"name"`
	Roles               []*rbacv1.Role               `json:"roles"`
	RoleBindings        []*rbacv1.RoleBinding        `json:"roleBindings"`
	ClusterRoles        []*rbacv1.ClusterRole        `json:"clusterRoles"`
	ClusterRoleBindings []*rbacv1.ClusterRoleBinding `json:"clusterRoleBindings"`
}

func (a *access) GetName() string      { return a.Name }
func (a *access) GetNamespace() string { return a.Namespace }
func (a *access) GetResource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: a.Group, Version: "v1", Resource: a.Resource}
}
func (a *access) GetSubresource() string { return a.Subresource }

// authorizer answers by the roles that there are.
func (a *access) authorizer() authorizer.Authorizer {
	_, static := rbacvalidation.NewTestRuleResolver(a.Roles, a.RoleBindings, a.ClusterRoles, a.ClusterRoleBindings)
	return rbac.New(static, static, static, static)
}

func (a *access) variables() map[string]any {
	who := &user.DefaultInfo{Name: a.User, Groups: a.Groups}
	authorizer := a.authorizer()
	return map[string]any{
		plugincel.AuthorizerVarName:                library.NewAuthorizerVal(who, authorizer),
		plugincel.RequestResourceAuthorizerVarName: library.NewResourceAuthorizerVal(who, authorizer, a),
	}
}

// anything lets an expression come to whatever it comes to.
type anything string

func (a anything) GetExpression() string    { return string(a) }
func (a anything) ReturnTypes() []*cel.Type { return []*cel.Type{cel.AnyType} }

// ask evaluates an expression of a policy that may ask who may do what.
func (out *answer) ask(expression string, about *access) {
	envs := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	compiled := plugincel.NewCompiler(envs).CompileCELExpression(
		anything(expression), plugincel.OptionalVariableDeclarations{HasAuthorizer: true}, environment.NewExpressions)
	if compiled.Error != nil {
		out.Wrong = strings.TrimPrefix(compiled.Error.Detail, "compilation failed: ")
		return
	}
	out.Type = compiled.OutputType.String()
	var value ref.Val
	value, details, err := compiled.Program.Eval(about.variables())
	if details != nil && details.ActualCost() != nil {
		out.Cost = *details.ActualCost()
	}
	if err != nil {
		out.Error = err.Error()
		return
	}
	out.Value = shown(value)
}
