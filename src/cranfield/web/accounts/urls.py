from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import path

from cranfield.web.accounts import audit_views, invitation_views, token_views, views

urlpatterns = [
    path("", views.home, name="home"),
    path("robots.txt", views.robots, name="robots"),
    path("login/", views.Login.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("account/", views.account, name="account"),
    path("account/password/", views.ChangePassword.as_view(), name="change-password"),
    path("choose-password/<uidb64>/<token>/", views.ChoosePassword.as_view(), name="choose-password"),
    path("join/<str:secret>/", invitation_views.join, name="join"),
    path("audit/", audit_views.audit, name="audit"),
    path("projects/<uuid:project>/audit/", audit_views.project_audit, name="project-audit"),
    path("projects/<uuid:project>/invitations/", invitation_views.project_invitations, name="project-invitations"),
    path(
        "projects/<uuid:project>/invitations/<int:invitation>/withdraw/",
        invitation_views.withdraw_invitation,
        name="invitation-withdraw",
    ),
    path("projects/<uuid:project>/tokens/", token_views.api_tokens, name="api-tokens"),
    path("projects/<uuid:project>/tokens/<int:api_token>/revoke/", token_views.revoke_token, name="api-token-revoke"),
]
